import type {
  CheckedLinkReport,
  ReportedLink,
  ReportedLostAddress,
} from '../../../src/content/report/link-report.ts';

export function finding(fields: Partial<ReportedLink> = {}): ReportedLink {
  return {
    space: 'Docs',
    file: 'docs/a.md',
    line: 3,
    column: 5,
    endLine: 3,
    endColumn: 20,
    target: 'b.md',
    rule: 'missing-page',
    message: 'There is no page docs/b.md.',
    suggestion: null,
    touched: false,
    cause: null,
    ...fields,
  };
}

/** An address that goes, with this name everywhere. */
export function lostNote(name: string): ReportedLostAddress {
  const redirect = { file: name, from: name, to: name };
  return { space: 'Docs', address: name, file: name, now: { file: name, address: name }, redirect };
}

export function report(fields: Partial<CheckedLinkReport> = {}): CheckedLinkReport {
  const { introduced = [], existing = [], fixed = [] } = fields;
  return {
    version: 1,
    state: 'checked',
    repository: 'acme/docs',
    pullNumber: 7,
    pullUrl: 'https://github.com/acme/docs/pull/7',
    headOid: 'a'.repeat(40),
    baseOid: 'b'.repeat(40),
    headBlobUrl: `https://github.com/acme/docs/blob/${'a'.repeat(40)}/`,
    baseBlobUrl: `https://github.com/acme/docs/blob/${'b'.repeat(40)}/`,
    spaces: [{ title: 'Docs', directory: 'docs', pages: 12, links: 40 }],
    counts: {
      introduced: introduced.length,
      existing: existing.length,
      fixed: fixed.length,
      untouchedFiles: new Set(introduced.filter((one) => !one.touched).map((one) => one.file)).size,
    },
    moved: [],
    introduced,
    existing,
    fixed,
    ...fields,
  };
}

/** Names that try to break out of the Markdown, HTML or table around them. */
export const HOSTILE = [
  '<script>alert(1)</script>.md',
  '<img src=x onerror=alert(1)>',
  '`` `code` ``',
  '`',
  '|pipe|\n| another | row |',
  'a\r\n\r\n# heading',
  '[text](javascript:alert(1))',
  '![](https://evil.example/x.png)',
  '<!-- comment',
  '-->',
  '&lt;b&gt;',
  '**bold** _it_ ~~no~~',
  '@acme/everyone #1',
  'https://evil.example/',
  '\u202egnp.exe',
  '\\| \\` \\[',
  '"><script>alert(1)</script>',
];
