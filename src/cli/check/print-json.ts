import type { CheckResult } from './check-tree.ts';

/** The result as one line of JSON, for programs; version 1 of its form. */
export function printJson({ root, spaces, files, links }: CheckResult): string {
  const count = (status: string) => links.filter((link) => link.status === status).length;
  const report = {
    version: 1,
    root,
    spaces,
    summary: {
      files,
      links: links.length,
      ok: count('ok'),
      broken: count('broken'),
      inApp: count('in-app'),
      unchecked: count('unchecked'),
      introduced: 0,
      existing: 0,
      fixed: 0,
    },
    links: links
      .filter((link) => link.status !== 'ok')
      .map((link) => ({
        file: link.file,
        line: link.line,
        column: link.column,
        endLine: link.endLine,
        endColumn: link.endColumn,
        target: link.target,
        status: link.status,
        rule: link.rule,
        message: link.message,
        suggestion: link.suggestion,
        change: null,
      })),
  };
  return `${JSON.stringify(report)}\n`;
}
