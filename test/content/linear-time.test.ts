import { describe, expect, test } from 'vitest';
import { loadDialect } from '../../src/content/index.ts';
import { isCostlyMdx } from '../../src/content/parse/guard-mdx.ts';
import { renderPage, toDocument } from '../../src/content/render/index.ts';
import { findSegments } from '../../src/content/translation/index.ts';
import { casesAtLength } from '../support/describe-at-length.ts';
import { hostilePages } from '../support/hostile-pages.ts';
import { processorTime } from '../support/processor-time.ts';

/** With steps that look at the whole page for each part of it, pages of 100,000 characters took from 4 s to 90 s. */
const LENGTH = 60_000;
const SHARE = 4;

const sizes = [LENGTH / SHARE, LENGTH].map((length) => new Map(hostilePages(length)));
const pagesOf = (name: string) =>
  sizes.map((pages) => pages.get(name) ?? expect.fail(`There is no page of ${name}.`));

describe('time is linear in the length of the page', () => {
  const rendered = casesAtLength(
    'more long pages that are rendered',
    ['empty items', 'items with a continuation'],
    ['empty numbered items', 'tasks', 'items with a blank continuation', 'pictures'],
  );
  test.each(rendered)('%s are rendered', async (name) => {
    await expectLinear(name, (page) => renderPage(page, { resolveImage: () => null }));
  });

  test('empty items are written as a document', async () => {
    await expectLinear('empty items', (page) => toDocument(page));
  });

  const mdx = casesAtLength(
    'more long pages that are read as MDX',
    ['open paragraphs', 'JSX elements that never close'],
    ['closed elements', 'expressions'],
  );
  test.each(mdx)('%s are read as MDX', async (name) => {
    const read = await (await loadDialect('docusaurus')).reading.load();
    await expectLinear(name, async (page) => read(new TextEncoder().encode(page)));
  });

  test.each([
    'brackets in an expression',
    'brackets in an export',
    'negations in an expression',
    'elements that never close in expressions',
    'elements in attributes that never close',
  ])('%s are not read where the builder reads MDX, and nothing is guessed about the page', async (name) => {
    const read = await (await loadDialect('docusaurus')).reading.load();
    for (const page of pagesOf(name)) {
      expect(read(new TextEncoder().encode(`# A\n\n[b](b.md)\n\n${page}`))).toMatchObject({
        references: [],
        anchors: [],
        complete: false,
        problems: [{ message: expect.stringContaining('nested too deep') }],
      });
    }
    await expectLinear(name, async (page) => read(new TextEncoder().encode(page)));
  });

  const searched = casesAtLength(
    'more long pages that are searched for texts',
    ['brackets', 'one word', 'tags cut off'],
    ['spaces', 'open braces', 'open blocks'],
  );
  test.each(searched)('%s are searched for texts to translate', async (name) => {
    await expectLinear(name, async (page) => findSegments(page, 'a.md'));
  });
});

test('code with brackets, and code that is shown, does not make MDX Markdown', async () => {
  const code = '((((([[[[[{{{{{<a><a><a><a><a> !!!!! '.repeat(300);
  const element = `{[${"<Card href={'x.md'}>{a ? !b : (c)}</Card>, ".repeat(500)}]}`;
  for (const shown of [`\`\`\`js\n${code}\n\`\`\``, `- a\n\n  \`\`\`js\n  ${code}\n  \`\`\``, element])
    expect(isCostlyMdx(`---\na: {(\n---\n\n${shown}\n\n<Card href={'y.md'} />\n`), shown.slice(0, 20)).toBe(
      false,
    );
  for (const hidden of [
    `- \`\`\`\n{${'('.repeat(600)}`,
    `\\\`{${'('.repeat(600)}`,
    `---\n\`\`\`\n---\n{${'('.repeat(600)}`,
  ])
    expect(isCostlyMdx(hidden), hidden.slice(0, 20)).toBe(true);
});

const DEEP = '('.repeat(600);

test.each([
  `{"}"+${DEEP}`,
  `{'}'+${DEEP}`,
  `{"\\"}"+${DEEP}`,
  `{\`}\`+${DEEP}`,
  `{\`\${"}"}}\`+${DEEP}`,
  `{/}/+${DEEP}`,
  `{/[/]}/+${DEEP}`,
  `{typeof /}/+${DEEP}`,
  `{/"/+"}"+${DEEP}`,
  `{/*}*/${DEEP}`,
  `{//}\n${DEEP}`,
  `{<p>it's "</p>+"}"+${DEEP}`,
  `{<p a="\n}"/>+${DEEP}`,
  `<a b={"}"+${DEEP}}/>`,
  `export const a = "]"+${DEEP}`,
  `export const a = [")", /]/, ${DEEP}]`,
  `\`\`\`a\`\n{${DEEP}`,
])('a bracket that closes nothing hides no nesting: %s', (page) => {
  expect(isCostlyMdx(page)).toBe(true);
});

test('types in code that is shown, and in modules, are no elements', async () => {
  const types = 'a: Promise<void>, b: Array<string>; x <= 1 << y '.repeat(200);
  for (const page of [
    `<Code code={"${types}"} />`,
    `<Code code={'${types}'} />`,
    `<Code code={\`\n${types}\n\`} />`,
    `{/* ${types} */}`,
    `export const types = \`${types}\`;`,
    `export const compare = [${'a<b, a <b, '.repeat(50)}]`,
    `{[${'1 < 2, 3 <= 4, '.repeat(200)}]}`,
    `<A b={<a>https://c.d</a>} />\n\n\`\`\`ts\n${types}\n\`\`\``,
  ]) {
    expect(isCostlyMdx(page), page.slice(0, 30)).toBe(false);
  }
});

test('a list is as loose as before', async () => {
  expect(await renderPage('- a\n- b\n\n  c\n')).toBe(
    '<ul>\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n<p>c</p>\n</li>\n</ul>',
  );
  expect(await renderPage('- a\n- b\n  - c\n')).toBe(
    '<ul>\n<li>a</li>\n<li>b\n<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>',
  );
});

/** Steps that look at the whole page for each part of it take 16 times as long for a page of 4 times the length. */
async function expectLinear(name: string, work: (page: string) => Promise<unknown>): Promise<void> {
  const [short = '', long = ''] = pagesOf(name);
  await work(short); // compiles
  const once = await processorTime(() => work(short));
  const bound = 2 * SHARE * once + 150;
  let least = Infinity;
  // A busy machine and the garbage of others make one run slower, but not each of them.
  for (let run = 1; run <= 3 && least >= bound; run += 1)
    least = Math.min(least, await processorTime(() => work(long)));
  expect(least).toBeLessThan(bound);
}
