import type { Nodes, Root } from 'mdast';
import { remark } from 'remark';
import remarkGfm from 'remark-gfm';
import { describe, expect, test } from 'vitest';
import type { CheckedLinkReport, ReportedLostAddress } from '../../../src/content/report/link-report.ts';
import { SUMMARY_LIMIT, writeSentence } from '../../../src/github/api/markdown.ts';
import { reportOfSpace } from '../../../src/github/pull-request/report-of-space.ts';
import { writeSummary, writeTitle } from '../../../src/github/pull-request/summary.ts';
import { finding, HOSTILE, lostNote, report } from './fixture-report.ts';

const HEAD = 'a'.repeat(40);
const REPORT_URL = 'https://docloom.example/reports/abc';

/** What a reader of the Markdown sees: the tree as a stock parser reads it back. */
function parse(markdown: string): Root {
  return remark().use(remarkGfm).parse(markdown);
}

function nodes(node: Nodes): Nodes[] {
  return [node, ...('children' in node ? node.children.flatMap(nodes) : [])];
}

/** GitHub makes links of addresses in text; they lead where they say, which does no harm. */
function showsItself(node: Nodes): boolean {
  return (
    node.type === 'link' && node.children.every((child) => child.type === 'text' && child.value === node.url)
  );
}

function values(markdown: string, type: 'text' | 'inlineCode'): string[] {
  return nodes(parse(markdown)).flatMap((node) =>
    node.type === type && 'value' in node ? [node.value] : [],
  );
}

const LOST: ReportedLostAddress = {
  space: 'Docs',
  address: '/old',
  file: 'old.md',
  now: { file: 'guide/new.md', address: '/guide/new' },
  redirect: { file: '.gitbook.yaml', from: 'old', to: 'guide/new.md' },
};

test('removed addresses are listed with the redirect to add', () => {
  const gone = { ...LOST, address: '/gone', file: 'gone.md', now: null, redirect: null };
  const summary = writeSummary(report({ lost: [LOST, gone] }), REPORT_URL);
  expect(values(summary, 'inlineCode')).toEqual([
    ...['/old', 'old.md', '/guide/new', 'old → guide/new.md', '.gitbook.yaml'],
    ...['/gone', 'gone.md'],
  ]);
  expect(summary).not.toContain('nothing to do');
});

describe('the title', () => {
  test.each([
    [{}, 'No link broken by this pull request'],
    [{ fixed: [finding()] }, 'No link broken, 1 fixed'],
    [{ lost: [LOST] }, 'No link broken, an address is removed without a redirect'],
    [
      { lost: [LOST, LOST], fixed: [finding()] },
      'No link broken, 1 fixed, 2 addresses are removed without a redirect',
    ],
    [{ introduced: [finding({ touched: true })] }, '1 link broken by this pull request'],
    [
      { introduced: [finding(), finding({ line: 9 }), finding({ file: 'c.md' })] },
      '3 links broken by this pull request, in 2 files that it did not touch',
    ],
  ])('%#', (fields, title) => {
    expect(writeTitle(report(fields))).toBe(title);
  });
});

test('the summary counts, lists what is broken, and names the cause and the fix', () => {
  const summary = writeSummary(
    report({
      introduced: [
        finding({ suggestion: 'new.md', cause: { kind: 'renamed', path: 'docs/b.md' } }),
        finding({ line: 9, cause: { kind: 'deleted', path: 'docs/gone.md' } }),
        finding({
          file: 'docs/c d.md',
          line: 9,
          touched: true,
          cause: { kind: 'deleted', path: 'docs/gone.md' },
        }),
      ],
      fixed: [finding({ target: 'old.md' })],
      existing: [finding({ target: 'ancient.md' })],
      moved: [
        { path: 'docs/b.md', to: 'docs/new.md', linkedFrom: ['docs/a.md'] },
        { path: 'docs/gone.md', to: null, linkedFrom: ['docs/a.md', 'docs/c.md'] },
      ],
    }),
    REPORT_URL,
  );
  expect(
    summary,
  ).toBe(`**This pull request leaves 3 links broken.** Fix each in the line named below, or restore what they lead to. Every push is checked again.

### Removed or renamed, and still linked to

- \`docs/b.md\` is now \`docs/new.md\`; linked once from 1 file: \`docs/a.md\`
- \`docs/gone.md\` was removed; linked 2 times from 2 files: \`docs/a.md\`, \`docs/c.md\`

### Broken by this pull request

| Where | Link | Why | Did you mean |
| - | - | - | - |
| [\`docs/a.md:3\`](https://github.com/acme/docs/blob/${HEAD}/docs/a.md?plain=1#L3) (untouched file) | \`b.md\` | There is no page docs/b.md. | \`new.md\` |
| [line 9](https://github.com/acme/docs/blob/${HEAD}/docs/a.md?plain=1#L9) | \`b.md\` | There is no page docs/b.md. | |
| [\`docs/c d.md:9\`](https://github.com/acme/docs/blob/${HEAD}/docs/c%20d.md?plain=1#L9) | \`b.md\` | There is no page docs/b.md. | |

### Fixed by this pull request

| Where it was | Link |
| - | - |
| \`docs/a.md:3\` | \`old.md\` |

Checked 40 links on 12 pages: 3 introduced, 1 fixed, 1 existing. 1 link that was broken before stays as it is and does not count.

[The whole report](https://docloom.example/reports/abc)
`);
});

test('the report of a space counts everything of its own, also beyond what is listed', () => {
  const of = (title: string, counts: CheckedLinkReport['counts']) => ({
    title,
    directory: title,
    pages: 1,
    links: 9,
    counts,
  });
  const none = { introduced: 0, existing: 0, fixed: 0, untouchedFiles: 0 };
  const long = report({
    spaces: [of('a', { ...none, introduced: 5_000 }), of('b', { ...none, introduced: 3 })],
    introduced: [finding({ space: 'a' })],
  });
  expect(reportOfSpace(long, 'b')).toMatchObject({ counts: { introduced: 3 }, introduced: [] });
  expect(reportOfSpace(long, 'a')).toMatchObject({
    counts: { introduced: 5_000 },
    introduced: [{ space: 'a' }],
  });
  expect(reportOfSpace(long, 'c')).toBeNull();
});

test('the summary says when there is nothing to do', () => {
  expect(writeSummary(report(), REPORT_URL)).toMatch(
    /^\*\*This pull request breaks no link\.\*\* There is nothing to do\.\n\nChecked /,
  );
  expect(writeSummary(report({ fixed: [finding()] }), REPORT_URL)).toContain('It fixes 1.');
  const one = writeSummary(report({ introduced: [finding()] }), REPORT_URL);
  expect(one).toContain('leaves 1 link broken.** Fix it in the line named below, or restore what it');
  expect(one).toContain('| Where | Link | Why |\n');
});

test('hostile names stay text', () => {
  for (const name of HOSTILE) {
    const summary = writeSummary(
      report({
        introduced: [finding({ file: `docs/${name}`, target: name, message: name, suggestion: name })],
        moved: [{ path: name, to: null, linkedFrom: [name] }],
        fixed: [finding({ file: name, target: name })],
        outside: [{ space: 'Docs', file: name, line: 3, target: name, message: name }],
        lost: [lostNote(name)],
      }),
      REPORT_URL,
    );
    const seen = nodes(parse(summary));
    const types = new Set(seen.map((node) => node.type));
    expect([name, types.has('html'), types.has('image'), types.has('delete')]).toEqual([
      name,
      false,
      false,
      false,
    ]);
    expect(seen.filter((node) => node.type === 'heading')).toHaveLength(5);
    expect(seen.filter((node) => node.type === 'tableRow')).toHaveLength(8);
    const links = seen.flatMap((node) => (node.type === 'link' && !showsItself(node) ? [node.url] : []));
    for (const url of links)
      expect(url).toMatch(/^https:\/\/(github\.com\/acme\/docs\/blob\/|docloom\.example\/)/);
    // In a table Markdown has no way to write a backslash before a pipe in code.
    const line = name.replace(/[\p{Cc}]+/gu, ' ').replace('\\|', '|');
    expect(
      values(summary, 'inlineCode').filter((value) => value.includes(line.trim())).length,
    ).toBeGreaterThanOrEqual(10);
  }
});

test('a sentence may contain anything', () => {
  for (const name of HOSTILE) {
    const types = nodes(parse(writeSentence(`${name} is wrong.`)))
      .filter((node) => !showsItself(node))
      .map((node) => node.type);
    expect([name, types.filter((type) => !['root', 'paragraph', 'text'].includes(type))]).toEqual([name, []]);
  }
});

test('the summary of a huge report stays within GitHub’s limit and names what it leaves out', () => {
  const many = Array.from({ length: 5000 }, (_, index) =>
    finding({ file: `${'long/'.repeat(200)}${index}.md`, line: index + 1, message: 'm'.repeat(900) }),
  );
  const summary = writeSummary(
    report({
      introduced: many,
      fixed: many,
      counts: { introduced: 7000, existing: 0, fixed: 5000, untouchedFiles: 5000 },
    }),
    REPORT_URL,
  );
  expect(summary.length).toBeLessThanOrEqual(SUMMARY_LIMIT);
  expect(summary).toContain('7000 introduced');
  expect(summary).toMatch(/… and \d+ more in the report/);
  expect(summary).toContain(REPORT_URL);
});
