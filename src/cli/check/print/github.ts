import { brokenLinks, explain, type Print, warnedLinks } from './report.ts';

/**
 * Workflow commands, which GitHub Actions shows as annotations on the lines of a pull request.
 * https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
 */
export const printGithub: Print = (result, options) => {
  const lines = [
    ...brokenLinks(result, options).map((link) =>
      command('error', { ...propertiesOf(link), title: link.rule }, `${explain(link)} [${link.target}]`),
    ),
    ...warnedLinks(result).map((link) =>
      command(
        'warning',
        { ...propertiesOf(link), title: link.warning.rule },
        `${explain({ message: link.warning.message, suggestion: link.suggestion })} [${link.target}]`,
      ),
    ),
    ...result.notices.map(({ file, line, rule, message, fails }) =>
      command(fails ? 'error' : 'warning', { file, line, title: rule }, message),
    ),
  ];
  return lines.map((line) => `${line}\n`).join('');
};

type Properties = Readonly<Record<string, string | number | null>>;

interface Located {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** Columns only where the link is on one line, as GitHub requires; the end is inclusive. */
function propertiesOf({ file, line, column, endLine, endColumn }: Located): Properties {
  if (line !== endLine) return { file, line, endLine };
  return { file, line, col: column, endLine, endColumn: Math.max(column, endColumn - 1) };
}

function command(name: 'error' | 'warning', properties: Properties, message: string): string {
  const written = Object.entries(properties).flatMap(([key, value]) =>
    value === null
      ? []
      : [`${key}=${escapeData(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`],
  );
  return `::${name} ${written.join(',')}::${escapeData(message)}`;
}

/** Characters that would end the command, or begin another. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
