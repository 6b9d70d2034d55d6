import { describe, expect, test } from 'vitest';
import { docusaurusFormat } from '../../../src/content/formats/docusaurus/docusaurus-format.ts';
import { gitbookFormat } from '../../../src/content/formats/gitbook/gitbook-format.ts';
import { createEngine } from '../../../src/content/index.ts';
import { compileGlob } from '../../../src/content/text/index.ts';
import { matchGitignore, matchPathPatterns } from '../../../src/content/tree/index.ts';
import { processorTime } from '../../support/processor-time.ts';
import { turnsDuring } from '../../support/turns-during.ts';
import { analysisOf, treeOf } from '../analysis-of.ts';

/** In ms. With steps that look at the rest of a text for each part of it, one of these takes several seconds. */
const LIMIT = 1_500;
const LENGTH = 100_000;

const blank = '\n'.repeat(LENGTH);

describe('a text that only looks as if it went on is read in linear time', () => {
  test.each(['config.toml', 'config.yaml', '_toc.yml', '_toctree.yml', 'Doxyfile'])(
    '%s of empty lines',
    async (name) => {
      const files = { [name]: blank, 'a.md': '[b](/b)\n' };
      const took = await processorTime(() => analysisOf({ files }));
      expect(took).toBeLessThan(LIMIT);
    },
  );

  test('settings of GitBook of empty lines', async () => {
    const files = { '.gitbook.yaml': `root: ./\n${blank}`, 'README.md': '# A\n' };
    const took = await processorTime(() => analysisOf({ files }, { name: 'gitbook', format: gitbookFormat }));
    expect(took).toBeLessThan(LIMIT);
  });

  test('pages that begin a long fence and never end it', async () => {
    const page = `${'~'.repeat(LENGTH)}\n${'a\n'.repeat(LENGTH)}`;
    const files = { 'docs/api/a.md': page, 'docs/api/b.md': page, 'docs/c.md': '[a](api/a.md)\n' };
    analysisOf({ files });
    const took = await processorTime(() => analysisOf({ files: { ...files, 'd.md': '[a](docs/c.md)\n' } }));
    expect(took).toBeLessThan(LIMIT);
  });
});

test('samples of signs in a fence that never ends say nothing of a folder, and the same signs in its pages do', () => {
  const sign = '::: my_package.my_module\n';
  const statusWith = (page: string) => {
    const files = { 'docs/api/a.md': page, 'docs/api/b.md': page, 'docs/c.md': '[a](api/a.md#x)\n' };
    return analysisOf({ files }).links.map(({ status }) => status);
  };
  expect(statusWith(`# A\n\n\`\`\`\n${sign}`)).toEqual(['broken']);
  expect(statusWith(`# A\n\n${sign}`)).toEqual(['unchecked']);
});

describe('thousands of patterns', () => {
  const lines = (count: number, line: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => line(at)).join('\n');

  test('of redirects are compared with thousands of links', async () => {
    const files = {
      'docusaurus.config.js': "export default { title: 'a', url: 'https://a.b', baseUrl: '/' };",
      'static/_redirects': lines(2_000, (at) => `/o${at}/*/:b/x /n`),
      'docs/a.md': lines(2_000, (at) => `[x](/p/q/r${at})\n`),
    };
    const took = await processorTime(() =>
      analysisOf({ files }, { name: 'docusaurus', format: docusaurusFormat }),
    );
    expect(took).toBeLessThan(3_000);
  });

  test('of files that git ignores are compared with thousands of paths', async () => {
    const isIgnored = matchGitignore(lines(1_000, (at) => (at % 2 === 0 ? `/a${at}/**/*.md` : `b${at}*`)));
    const took = await processorTime(() => {
      for (let at = 0; at < 2_000; at += 1) expect(isIgnored(`docs/c/d/e${at}.md`)).toBe(false);
    });
    expect(took).toBeLessThan(LIMIT);
  });

  test.each([
    ['a/**/b', 'a/b', true],
    ['a/**', 'a', true],
    ['a/**', 'ab', false],
    ['/**/x', '/x', true],
    ['ab*', 'abc', true],
    ['a?/b', 'ac/b', true],
    ['**', 'a/b', true],
  ])('the glob %s and %s', (pattern, text, expected) => {
    expect(compileGlob(pattern)(text)).toBe(expected);
  });

  test.each([
    ['*.md', 'a/b.md', true],
    ['/*.md', 'a/b.md', false],
    ['b/', 'a/b/c', true],
    ['b/', 'a/b', false],
    ['a/**/c', 'a/c', true],
    ['**/b/*', 'a/b/c/d', true],
    ['b[0-9]\n!b1', 'b1', false],
    ['b[0-9]\n!b1', 'b2', true],
    ['**', 'a', true],
    ['\\*a', '*a', true],
    ['\\*a', 'ba', false],
    ['a/\n!a/b', 'a/b', true],
    ['a/*\n!a/b', 'a/b', false],
    ['a/*\n!a/b', 'a/b/c', false],
  ])('git ignores by %j %s: %s', (patterns, path, expected) => {
    expect(matchGitignore(patterns)(path)).toBe(expected);
  });

  test('programs that compare paths of files include again what git does not', () => {
    const isExcluded = matchPathPatterns('a/\n!a/b');
    expect(['a/b', 'a/c'].map(isExcluded)).toEqual([false, true]);
  });
});

test('others get their turn while many short configurations are read', async () => {
  const values = `label: a\nx: [${'a,'.repeat(3_900)}b]\n`;
  const count = 15;
  const { tree, blobs } = treeOf({
    files: {
      'docusaurus.config.js': "export default { title: 'a', url: 'https://a.b', baseUrl: '/' };",
      'docs/a.md': '# A\n',
      ...Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`docs/d${at}/_category_.yml`, `# ${at}\n${values}`]),
      ),
    },
  });
  const analysing = createEngine().analyse({
    tree,
    directory: '',
    format: 'docusaurus',
    async *read(entries) {
      for (const { oid } of entries) {
        const text = blobs.get(oid);
        if (text !== undefined) yield { oid, bytes: new TextEncoder().encode(text) };
      }
    },
  });
  const { turns } = await turnsDuring(analysing);
  expect(turns).toBeGreaterThan(count / 2);
});
