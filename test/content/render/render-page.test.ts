import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { RenderLimitError, renderPage, renderPageParts } from '../../../src/content/render/index.ts';
import { codePoint } from '../../support/code-point.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { readFacts } from '../read-facts.ts';

type Node = DefaultTreeAdapterTypes.ChildNode;

describe('GitHub Markdown', () => {
  test.each([
    ['front matter is cut off', '---\ntitle: x\n---\n# Hi', '<h1 id="hi">Hi</h1>'],
    ['repeated headings are counted', '# A\n\n# A', '<h1 id="a">A</h1>\n<h1 id="a-1">A</h1>'],
    ['headings in HTML count too', '<h2>My <b>part</b></h2>', '<h2 id="my-part">My <b>part</b></h2>'],
    ['explicit ids stay', '<a id="here"></a>', '<p><a id="here"></a></p>'],
    ['old names become ids', '<a name="here"></a>', '<p><a id="here"></a></p>'],
    ['tables', '|a|\n|:-:|\n|1|', /<th align="center">a<\/th>/],
    ['task lists', '- [x] done', /<input type="checkbox" checked disabled aria-label="done"> done/],
    ['strikethrough', '~~no~~', '<p><del>no</del></p>'],
    ['bare addresses', 'https://example.org', '<p><a href="https://example.org">https://example.org</a></p>'],
    ['footnotes', 'a[^n]\n\n[^n]: b', /href="#fn-n"[\s\S]*id="fn-n"/],
    ['alerts', '> [!TIP]\n> Do.', /<blockquote class="alert alert-tip"><p class="alert-title">Tip<\/p>/],
    ['details', '<details><summary>s</summary>t</details>', '<details><summary>s</summary>t</details>'],
    [
      'code keeps its language',
      '```sh\nls\n```',
      '<pre tabindex="0"><code class="language-sh">ls\n</code></pre>',
    ],
    ['fragments take the heading’s case', '[x](#Top-Part)\n\n# Top part', /href="#top-part"/],
    ['an empty page', '', ''],
  ])('%s', async (_, markdown, expected) => {
    const rendered = await renderPage(markdown);
    if (typeof expected === 'string') expect(rendered).toBe(expected);
    else expect(rendered).toMatch(expected);
  });
});

describe('for a keyboard or a screen reader', () => {
  test.each([
    ['a table can be scrolled', '|a|\n|-|\n|1|', /^<table tabindex="0">/],
    ['a formula can be scrolled', '$$\na = b\n$$', '<div class="math" tabindex="0">$$\na = b\n$$</div>'],
    [
      'code that is clicked is no stop of its own',
      '<details><summary><pre>y</pre></summary></details>',
      '<details><summary><pre>y</pre></summary></details>',
    ],
    ['an author sets no stops', '<pre tabindex="5">a</pre>', '<pre tabindex="0">a</pre>'],
    [
      'a task has the name of its item, without those in it',
      '- [ ] Write **it**\n\n  - [x] Plan',
      /aria-label="Write it">[\s\S]*aria-label="Plan">/,
    ],
    ['a task without words is one', '<ul><li><input type="checkbox"></li></ul>', /aria-label="Task"/],
    ['a head of a column without words is a cell', '||b|\n|-|-|\n|1|2|', /<td><\/td>\n<th>b<\/th>/],
    [
      'a heading without words is none, and stays an anchor',
      '## <i id="x"></i>',
      /^<div[^>]*><i id="x"><\/i><\/div>$/,
    ],
    ['a link without words is only an anchor', 'A <a href="#b" id="b"></a>', '<p>A <span id="b"></span></p>'],
    ['a link around a picture without words', '[![](a.png)](b.md)', /<a href="b.md" aria-label="b.md"><img/],
    ['a link around a picture with words', '[![A](a.png)](b.md)', /<a href="b.md"><img/],
    ['a picture without words is decoration', '<img src="a.png">', /<img src="a.png" loading="lazy" alt="">/],
  ])('%s', async (_, markdown, expected) => {
    const rendered = await renderPage(markdown);
    if (typeof expected === 'string') expect(rendered).toBe(expected);
    else expect(rendered).toMatch(expected);
  });
});

describe('the parts of a page', () => {
  test.each([
    ['a title at the beginning', '---\na: b\n---\n# A\n\nb', '<h1 id="a">A</h1>', '\n<p>b</p>', true],
    [
      'a title in HTML',
      '<h1 align="center">A</h1>\n\nb',
      '<h1 align="center" id="a">A</h1>',
      '\n<p>b</p>',
      true,
    ],
    ['a title further down', 'b\n\n# A', null, '<p>b</p>\n<h1 id="a">A</h1>', true],
    ['a title inside something else', '> # A', null, /<h1/, true],
    ['no title, though the text speaks of one', '## B\n\n`<h1>`', null, /&#x3C;h1>/, false],
    ['nothing', '', null, '', false],
  ])('%s', async (_, markdown, title, body, hasTitle) => {
    const parts = await renderPageParts(markdown);
    expect(parts).toMatchObject({ title, hasTitle });
    if (typeof body === 'string') expect(parts.body).toBe(body);
    else expect(parts.body).toMatch(body);
    if (hasTitle) expect(parts.outline).toContainEqual({ id: 'a', text: 'A', level: 1 });
  });
});

describe('addresses', () => {
  const options = {
    resolveLink: (target: string) => (/^#?gone/.test(target) ? null : `/spaces/s/${target}`),
    resolveWholeAddress: (target: string) =>
      target.startsWith('https://app.example/') ? `/spaces/s/${target.slice(20)}` : undefined,
    resolveImage: (target: string) => (target.startsWith('http') ? null : `/files/${target}`),
  };

  test.each([
    ['[a](b%20c.md#d)', '<p><a href="/spaces/s/b%20c.md#d">a</a></p>'],
    ['[a](<b c.md>)', '<p><a href="/spaces/s/b%20c.md">a</a></p>'],
    ['[a](gone.md)', '<p><span class="broken-link" title="This link leads nowhere: gone.md">a</span></p>'],
    ['[a](#gone)', '<p><span class="broken-link" title="This link leads nowhere: #gone">a</span></p>'],
    ['[a](#There)', '<p><a href="#there">a</a></p>'],
    ['[a](https://app.example/page)', '<p><a href="/spaces/s/page">a</a></p>'],
    ['[a](https://example.org)', '<p><a href="https://example.org">a</a></p>'],
    ['![a](b.png)', '<p><img src="/files/b.png" alt="a" loading="lazy"></p>'],
    ['<img src="b.png" srcset="https://x/y.png 2x">', '<img src="/files/b.png" loading="lazy" alt="">'],
    ['![a](https://x/y.png)', '<p><a href="https://x/y.png" class="left-out">a</a></p>'],
    ['[![a](https://x/y.png)](https://z)', '<p><a href="https://z"><span class="left-out">a</span></a></p>'],
    ['![](https://x/y.png)', '<p><a href="https://x/y.png" class="left-out">picture</a></p>'],
    [
      '<picture><source srcset="https://x/dark.png"><img src="b.png" alt="a"></picture>',
      '<p><picture><img src="/files/b.png" alt="a" loading="lazy"></picture></p>',
    ],
  ])('%s', async (markdown, expected) => {
    expect(await renderPage(markdown, options)).toBe(expected);
  });
});

const HOSTILE: readonly string[] = parse(readFileSync('fixtures/render/hostile.yaml', 'utf8'));
const DIALECTS = [
  '',
  'gitbook',
  'vitepress',
  'docusaurus',
  'docusaurus-md',
  'starlight',
  'starlight:mdx',
  'mdbook',
  'mkdocs',
];

const ELEMENTS =
  /^(a|abbr|b|blockquote|br|caption|code|dd|del|details|dfn|div|dl|dt|em|figcaption|figure|h[1-6]|hr|i|img|input|ins|kbd|li|mark|ol|p|picture|pre|q|rp|rt|ruby|s|samp|section|span|strike|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var)$/;

/** What a rendered page must never hold, whatever it was made of. */
function expectHarmless(rendered: string): void {
  const stack: Node[] = [...parseFragment(rendered).childNodes];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (!('tagName' in node)) {
      expect(node.nodeName).toBe('#text');
      continue;
    }
    expect(node.tagName).toMatch(ELEMENTS);
    for (const { name, value } of node.attrs) {
      expect(name).not.toMatch(/^(on.*|style|srcset|srcdoc|action|formaction|target|ping|name|accesskey)$/);
      // What scrolls has a key; no author sets one.
      if (name === 'tabindex')
        expect([node.tagName, value]).toEqual([expect.stringMatching(/^(pre|table|div)$/), '0']);
      if (name === 'href' || name === 'src' || name === 'cite') {
        const address = new URL(value, 'https://docs.example/page');
        expect(['http:', 'https:', 'mailto:', 'tel:']).toContain(address.protocol);
      }
      if (name === 'id') expect(value).not.toMatch(/^docloom-/);
    }
    if (node.tagName === 'input') {
      expect(
        node.attrs
          .filter(({ name }) => name !== 'aria-label')
          .map(({ name, value }) => `${name}=${value}`)
          .sort()
          .join(' '),
      ).toMatch(/^(checked= )?disabled= type=checkbox$/);
    }
    stack.push(...node.childNodes);
  }
}

describe('hostile content', () => {
  test.each(HOSTILE)('%s', async (markdown) => {
    for (const dialect of DIALECTS) {
      const options = { reservedIds: 'docloom-', dialect, highlight: true };
      expectHarmless(await renderPage(markdown, options));
      expectHarmless(await renderPage(`- a\n\n  ${markdown}\n\n> ${markdown}`, options));
    }
  });

  test('any mixture of them', async () => {
    const part = fc.oneof(
      fc.constantFrom(...HOSTILE),
      fc.constantFrom(
        '\n\n',
        '> ',
        '- ',
        '<',
        '>',
        '"',
        "'",
        '`',
        '&',
        '\0',
        '<!--',
        '-->',
        '</p>',
        '<table><td>',
        '\n{% hint style="info" %}\n',
        '{% endhint %}',
        '\n{% tab title="a" %}\n',
        '\n:::tip\n',
        '\n:::\n',
        '\n!!! note\n    ',
        '\n    ',
        '\n=== "a"\n    ',
        '{',
        '}',
        '$',
        '<Tabs>',
        '</Tabs>',
      ),
      fc.string({ unit: codePoint, maxLength: 8 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 12 }),
        fc.constantFrom(...DIALECTS),
        async (parts, dialect) => {
          expectHarmless(
            await renderPage(parts.join(''), { reservedIds: 'docloom-', dialect, highlight: true }),
          );
        },
      ),
      propertyRuns(75),
    );
  });

  test.each([
    ['quotes in quotes', '>'.repeat(900)],
    ['lists in lists', `${'- '.repeat(400)}a`],
    ['elements in elements', '<div>'.repeat(20_000)],
    ['elements that nobody closes', `${'<b>'.repeat(40)}\n\n${'a\n\n'.repeat(20_000)}`],
    [
      'elements that a cell shuts in',
      `${'<i x><table><tr><td></i></td></tr></table>\n'.repeat(90)}\n\n${'a\n\n'.repeat(20_000)}`,
    ],
    [
      'a table with more cells than text',
      `${'|a'.repeat(2000)}\n${'|-'.repeat(2000)}\n${'|x\n'.repeat(2000)}`,
    ],
    ['elements that only seem to close themselves', '<x-y a=">"/>'.repeat(20_000)],
    ['too many links', '[a](b) '.repeat(120_000)],
    ['too much text', 'a'.repeat(2_000_001)],
  ])('%s are refused with a sentence, and quickly', async (_, markdown) => {
    await expect(renderPage(markdown)).rejects.toThrow(RenderLimitError);
  });

  test.each([
    ['open brackets', '['.repeat(50_000)],
    ['open emphasis', '*a **a '.repeat(20_000)],
    ['unfinished tags', '<a '.repeat(100_000)],
    ['character references', '&amp;'.repeat(100_000)],
    ['attributes', `<a ${Array.from({ length: 20_000 }, (_, at) => `a${at}=1`).join(' ')}>x</a>`],
    ['elements that close themselves', '<x-y/>'.repeat(20_000)],
    ['prices', '$a '.repeat(30_000)],
    ['old anchors that nobody closed', '<a name="x">\n\ntext\n\n'.repeat(300)],
  ])('%s are shown, and quickly', async (_, markdown) => {
    expectHarmless(await renderPage(markdown));
  });
});

describe('anchors', () => {
  const pages = readdirSync('fixtures', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('fixtures', path));

  test.each(pages)('%s has every anchor that the link check accepts', async (path) => {
    const bytes = readFileSync(path);
    const facts = readFacts(path, bytes);
    const rendered = await renderPage(bytes.toString('utf8'));
    const ids = new Set([...rendered.matchAll(/ id="([^"]*)"/g)].map((match) => match[1]));
    const missing = facts.anchors
      .map(({ name }) => name.toLowerCase())
      .filter((name) => name !== '' && !ids.has(name));
    expect(missing).toEqual([]);
  });
});
