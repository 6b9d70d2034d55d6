import { expect, test } from 'vitest';
import { renderPage, toDocument } from '../../../src/content/render/index.ts';

/** The lines of the code of a page, each with how it is marked. */
async function linesOf(markdown: string, dialect: string): Promise<string> {
  const page = await renderPage(markdown, { dialect, highlight: true });
  const code = /<code[^>]*>([\s\S]*)<\/code>/.exec(page)?.[1] ?? '';
  return code
    .replace(/<span class="line line-(\w+)">/g, '[$1] ')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<');
}

test.each([
  ['VitePress’ ranges', 'vitepress', 'js{1,3-4}', 'a\nb\nc\nd', '[mark] a\nb\n[mark] c\n[mark] d\n'],
  ['those after a title', 'docusaurus', 'js title="x{9}.js" {2}', 'a\nb', 'a\n[mark] b\n'],
  [
    'Starlight’s insertions and deletions',
    'starlight',
    'js ins={1} del={2}',
    'a\nb',
    '[add] a\n[remove] b\n',
  ],
  ['what is folded is not marked', 'starlight', 'js collapse={1}', 'a\nb', 'a\nb\n'],
  ['Material’s lines', 'mkdocs', 'py hl_lines="2"', 'a\nb', 'a\n[mark] b\n'],
  [
    'comments on the line',
    'vitepress',
    'js',
    'a // [!code ++]\nb // [!code --]\n<!-- [!code focus:2] -->\nc\nd',
    '[add] a\n[remove] b\n[mark] c\n[mark] d\n',
  ],
  [
    'comments before lines',
    'docusaurus',
    'js',
    '// highlight-next-line\na\nb\n/* highlight-start */\nc\nd\n/* highlight-end */\ne',
    '[mark] a\nb\n[mark] c\n[mark] d\ne\n',
  ],
  ['a token of several lines', 'vitepress', 'js{2}', '/*\n b */ c', '/*\n[mark]  b */ c\n'],
])('%s', async (_name, dialect, info, code, expected) => {
  expect(await linesOf(`\`\`\`${info}\n${code}\n\`\`\``, dialect)).toBe(expected);
});

test('the number of lines costs no more than the code has', async () => {
  const page = await renderPage('```js{1-99999} {2-99999}\na\n```', { dialect: 'vitepress' });
  expect(page.match(/class="line/g)).toHaveLength(1);
});

test('documents have the marks, too, and not their comments', async () => {
  const { nodes } = await toDocument('```js{3}\n// highlight-next-line\na\nb\nc\n```', {
    dialect: 'docusaurus',
  });
  const [code] = nodes;
  if (code?.type !== 'code') throw new Error('The page is no block of code.');
  expect(JSON.stringify(code.nodes)).not.toContain('highlight-next-line');
  expect(code.nodes.map((line) => 'data' in line && line.data)).toEqual([
    { highlighted: true },
    {},
    { highlighted: true },
  ]);
});
