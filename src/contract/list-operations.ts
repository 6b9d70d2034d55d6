import type { AnyOperation } from './operation.ts';

/** The operations as a Markdown table per group, for `docs/api.md`; a test compares the page with it. */
export function listOperations(operations: Readonly<Record<string, AnyOperation>>): string {
  const groups = Map.groupBy(Object.values(operations), (operation) => operation.tag);
  return [...groups]
    .map(([tag, members]) =>
      [
        `### ${tag}`,
        '',
        '| Operation | What it does | Success | Own errors |',
        '| --- | --- | --- | --- |',
        ...members.map(row),
      ].join('\n'),
    )
    .join('\n\n');
}

function row(operation: AnyOperation): string {
  const path = operation.path.replaceAll(/:([A-Za-z]+)/g, '{$1}');
  const mark = operation.extension ? ' *(extension)*' : '';
  return `| \`${operation.method} ${path}\`${mark} | ${operation.summary} | ${operation.status} | ${operation.ownErrors.map((reason) => `\`${reason}\``).join(', ') || '–'} |`;
}
