/** Names of spaces, files and people in the texts that are written to pull requests and issues. */
import type { Nodes } from 'mdast';
import { remark } from 'remark';
import remarkGfm from 'remark-gfm';
import { expect, test } from 'vitest';
import { describeProblems } from '../../src/github/api/file-check.ts';
import { SUMMARY_LIMIT } from '../../src/github/api/markdown.ts';
import { writePullBody } from '../../src/sync/exports/write-pull-body.ts';
import { listedUrls, writeIssue } from '../../src/sync/external-links/write-issue.ts';
import { HOSTILE } from '../github/pull-request/fixture-report.ts';

function nodes(node: Nodes): Nodes[] {
  return [node, ...('children' in node ? node.children.flatMap(nodes) : [])];
}

/** What would be more than text, code and the links that are meant. */
function strangeNodes(markdown: string): readonly string[] {
  const found = nodes(remark().use(remarkGfm).parse(markdown));
  const meant = new Set(['root', 'paragraph', 'list', 'listItem', 'text', 'inlineCode']);
  return found.flatMap((node) => {
    if (node.type === 'link') {
      // GitHub makes links of addresses in text; they lead where they say, which does no harm.
      const showsItself = node.children.every((child) => child.type === 'text' && child.value === node.url);
      return showsItself || node.url.startsWith('https://docs.example/') ? [] : [node.url];
    }
    if (node.type === 'html') return node.value === '<!-- docloom: links outside -->' ? [] : [node.value];
    // GitHub makes mentions and references of text, also of what was escaped.
    if (node.type === 'text' && /@\w|#\d/.test(node.value)) return [node.value];
    return meant.has(node.type) ? [] : [node.type];
  });
}

test.each(HOSTILE)('%j stays text in a pull request of an export', (name) => {
  const edits = {
    title: name,
    message: name,
    author: null,
    changeRequestIds: [],
    changes: [{ subject: name, url: 'https://docs.example/1', by: name }],
  };
  const from = { title: name, url: 'https://docs.example/space', base: name };
  for (const obstacle of [
    null,
    { kind: 'conflict' as const, paths: [name] },
    { kind: 'refused' as const, message: name, paths: [name] },
  ])
    expect([name, strangeNodes(writePullBody(edits, from, obstacle))]).toEqual([name, []]);
});

test.each(HOSTILE)('%j stays text in the issue about dead links, which names its address', (name) => {
  const use = { path: name, line: 3, href: 'https://docs.example/blob' };
  const body = writeIssue([{ url: name, detail: name, since: new Date(0), uses: [use] }]);
  expect(strangeNodes(body)).toEqual([]);
  expect([...listedUrls(body)]).toEqual([name.replace(/[\r\n]+/g, ' ')]);
});

test('the addresses in an issue of an earlier release are read', () => {
  const body =
    'Text.\n\n* `` https://gone.example/`a` ``: dead since 2026-03-01. gone.example answers 404.\n  * [`docs/a.md:3`](https://docs.example/a)\n* `https://other.example/`: dead since 2026-03-01.\n\n<!-- docloom: links outside -->\n';
  expect([...listedUrls(body)]).toEqual(['https://gone.example/`a`', 'https://other.example/']);
});

test('the texts stay within GitHub’s limits', () => {
  const uses = Array.from({ length: 9 }, (_, line) => ({
    path: 'a/'.repeat(400),
    line,
    href: `https://docs.example/${'b/'.repeat(400)}`,
  }));
  const dead = Array.from({ length: 300 }, (_, at) => ({
    url: `https://gone.example/${at}`,
    detail: 'It is gone.',
    since: new Date(0),
    uses,
  }));
  const issue = writeIssue(dead);
  expect(issue.length).toBeLessThan(65_536);
  expect(issue).toMatch(/And \d+ more\./);
  expect(issue).toContain('<!-- docloom: links outside -->');
  const paths = Array.from({ length: 5_000 }, (_, at) => `docs/${'long/'.repeat(20)}${at}.md`);
  const edits = { title: 'a', message: 'a', author: null, changes: [], changeRequestIds: [] };
  const from = { title: 'Docs', url: 'https://docs.example/', base: 'main' };
  expect(writePullBody(edits, from, { kind: 'conflict', paths }).length).toBeLessThan(65_536);
});

test.each(HOSTILE)('%j stays text in the check of a file', (name) => {
  const problems = [
    { message: name, line: 1 },
    { message: `The key ${name} is missing.`, line: null },
  ];
  const { summary } = describeProblems({
    path: 'a.yml',
    annotationTitle: 'Configuration',
    problems,
    untilFixed: 'Until it is fixed nothing is synced.',
  });
  expect(strangeNodes(summary)).toEqual([]);
  expect(summary.length).toBeLessThanOrEqual(SUMMARY_LIMIT);
});
