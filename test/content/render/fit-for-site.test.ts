import { expect, test } from 'vitest';
import { renderPage, renderPageParts } from '../../../src/content/render/index.ts';
import { playerOf } from '../../../src/content/render/players.ts';

test.each([
  [
    'a heading links to itself',
    '## Über *uns*',
    '<h2 id="über-uns"><a class="anchor" href="#%C3%BCber-uns">Über <em>uns</em></a></h2>',
  ],
  ['the title does not', '# Title', '<h1 id="title">Title</h1>'],
  ['a heading with a link keeps that', '## See [x](y.md)', '<h2 id="see-x">See <a href="y.md">x</a></h2>'],
  [
    'targets stay in front',
    '## <a id="old"></a>New',
    '<h2 id="new"><a id="old"></a><a class="anchor" href="#new">New</a></h2>',
  ],
  [
    'a heading that folds something is no link',
    '<details><summary><h3>More</h3></summary>x</details>',
    '<details><summary><h3 id="more">More</h3></summary>x</details>',
  ],
])('%s', async (_name, markdown, expected) => {
  expect((await renderPage(markdown, { isForSite: true })).trim()).toBe(expected);
  expect(await renderPage(markdown)).not.toContain('class="anchor"');
});

test('tabs of a block open one at a time', async () => {
  const block = (title: string) => `=== "${title}"\n\n    Text\n\n=== "Other"\n\n    Text\n`;
  const markdown = `${block('One')}\nBetween\n\n${block('Two')}`;
  const page = await renderPage(markdown, { dialect: 'mkdocs', isForSite: true });
  expect(page.match(/<details[^>]*>/g)).toEqual([
    '<details class="tab" open name="tabs-1">',
    '<details class="tab" name="tabs-1">',
    '<details class="tab" open name="tabs-2">',
    '<details class="tab" name="tabs-2">',
  ]);
  expect(await renderPage(markdown, { dialect: 'mkdocs' })).not.toContain('name=');
});

test('pictures keep their place, and the first one is not lazy', async () => {
  const options = {
    isForSite: true,
    resolveImage: (target: string) => target,
    sizeOfImage: (target: string) => (target === 'none.png' ? null : { width: 400, height: 200 }),
  };
  const page = await renderPage(
    '![](a.png)\n\n<img src="b.png" width="100"><img src="c.png" height="50px"><img src="d.png" width="50%"><img src="none.png">',
    options,
  );
  expect(page.match(/<img[^>]*>/g)).toEqual([
    '<img src="a.png" alt="" width="400" height="200">',
    '<img src="b.png" width="100" loading="lazy" height="50" alt="">',
    '<img src="c.png" height="50" loading="lazy" width="100" alt="">',
    '<img src="d.png" width="50%" loading="lazy" alt="">',
    '<img src="none.png" loading="lazy" alt="">',
  ]);
});

test.each([
  [
    'a source for the dark theme',
    '<picture><source media="(prefers-color-scheme: dark)" srcset="d.png 2x, e.png"><img src="l.png" alt="A" width="9"></picture>',
    [
      '<img class="if-light" src="at/l.png" alt="A" width="9">',
      '<img class="if-dark" src="at/d.png" alt="A" width="9" loading="lazy">',
    ],
  ],
  [
    'a source for the light theme',
    '<picture><source media="( prefers-color-scheme:light )" srcset="l.png"><img src="d.png"></picture>',
    [
      '<img class="if-light" src="at/l.png" alt="">',
      '<img class="if-dark" src="at/d.png" loading="lazy" alt="">',
    ],
  ],
  [
    'sources for widths',
    '<picture><source media="(min-width: 500px)" srcset="w.png"><img src="a.png" alt="A"></picture>',
    ['<img src="at/a.png" alt="A">'],
  ],
  [
    'as GitHub has it',
    '![A](l.png#gh-light-mode-only) ![A](d.png#gh-dark-mode-only)',
    [
      '<img class="if-light" src="at/l.png#gh-light-mode-only" alt="A">',
      '<img class="if-dark" src="at/d.png#gh-dark-mode-only" alt="A" loading="lazy">',
    ],
  ],
])('pictures for both themes, one of which is shown: %s', async (_name, markdown, expected) => {
  const resolveImage = (target: string) => `at/${target}`;
  const tagsOf = (page: string) =>
    page.match(/<img[^>]*>/g)?.map((tag) => new Set(tag.split(/ (?=\w+=)|(?=>)/)));
  expect(tagsOf(await renderPage(markdown, { isForSite: true, resolveImage }))).toEqual(
    tagsOf(expected.join('')),
  );
  expect(await renderPage(markdown, { resolveImage })).not.toContain('class=');
});

test('formulas are MathML without styles; what is no TeX stays as written', async () => {
  const page = await renderPage(
    'Of $a^2$ and $\\frac{1$.\n\n$$\n\\begin{pmatrix}a & b\\end{pmatrix}\n$$\n\n```math\n\\sqrt{2}\n```\n\n$\\href{javascript:alert(1)}{x}$',
    { isForSite: true },
  );
  expect(page.match(/<math/g)).toHaveLength(3);
  expect(page).toContain('<msup>');
  expect(page).toContain('\\frac{1$');
  expect(page).not.toMatch(/style=|<a /);
  const red = await renderPage('$\\color{red}{x}$', { isForSite: true });
  expect(red).toContain('mathcolor="#ff0000"');
  expect(await renderPage('$a^2$')).not.toContain('<math');
});

test('titles that no author wrote are in the language of the site', async () => {
  const blockTitles = { tip: 'Tipp', note: 'Hinweis', details: 'Mehr' };
  const page = await renderPage(
    ':::tip\nA\n:::\n\n:::tip Own\nB\n:::\n\n:::details\nC\n:::\n\n> [!NOTE]\n> D',
    {
      dialect: 'vitepress',
      blockTitles,
    },
  );
  for (const title of ['Tipp', 'Own', 'Mehr', 'Hinweis']) expect(page).toContain(`>${title}</`);
});

test('a page for two styles of an API shows one, where browsers can', async () => {
  const parts =
    '<div class="options-api">\n\n## A\n\n</div>\n\n<div class="composition-api">\n\n## B\n\n</div>';
  const { title, body, outline } = await renderPageParts(`# Title\n\n${parts}`, {
    dialect: 'vitepress',
    isForSite: true,
  });
  expect(title).toContain('Title');
  expect(body.match(/<input[^>]*>/g)).toEqual([
    '<input type="radio" name="docloom-api" value="options-api" checked>',
    '<input type="radio" name="docloom-api" value="composition-api">',
  ]);
  expect(outline.map(({ apiStyle }) => apiStyle)).toEqual([undefined, 'options-api', 'composition-api']);
});

test.each([
  ['starlight:mdx', '<FileTree>\n- a/\n  - b\n</FileTree>', /<div class="file-tree"><ul>/],
  ['starlight:mdx', '<Steps>\n1. One\n2. Two\n</Steps>', /<ol class="stepper">\s*<li class="step">/],
  [
    'starlight:mdx',
    '<PackageManagerTabs>\n<Fragment slot="npm">\nA\n</Fragment>\n<Fragment slot="pnpm">\nB\n</Fragment>\n</PackageManagerTabs>',
    /<div class="tabs"><details class="tab" open name="tabs-1"><summary class="tab-title">npm<\/summary>[\s\S]*>pnpm</,
  ],
  [
    'docusaurus',
    '<Tabs>\n<TabItem value="a" label="A">\n\nOne\n\n</TabItem>\n<TabItem value="b" label="B" default>\n\nTwo\n\n</TabItem>\n</Tabs>',
    /<details class="tab" name="tabs-1"><summary class="tab-title">A<[\s\S]*<details class="tab" open name="tabs-1"><summary class="tab-title">B</,
  ],
  ['vitepress', '<Badge type="tip" text="3.3+" />', /<span class="badge">3\.3\+<\/span>/],
  ['vitepress', '<sup class="vt-badge" data-text="TS" />', /<span class="badge">TS<\/span>/],
  [
    'vitepress',
    '<VueSchoolLink href="https://example.com/l" title="A lesson"/>',
    /<figure class="embed"><a href="https:\/\/example.com\/l">A lesson</,
  ],
  [
    'vitepress',
    '<iframe src="https://www.youtube.com/embed/x" title="A film"></iframe>',
    /<figure class="embed video"><a href="https:\/\/www.youtube.com\/embed\/x">A film</,
  ],
])('blocks of frameworks (%s): %s', async (dialect, markdown, expected) => {
  expect(await renderPage(markdown, { dialect, isForSite: true })).toMatch(expected);
});

test('a reference that has only a path is called as its page', async () => {
  const block = (words: string) =>
    `{% content-ref url="guide/a.md" %}\n[${words}](guide/a.md)\n{% endcontent-ref %}`;
  const page = await renderPage(`${block('a.md')}\n\n${block('Own words')}`, {
    dialect: 'gitbook',
    titleOfLink: (target) => (target === 'guide/a.md' ? 'Page A' : null),
  });
  expect(page.match(/>[^<>]+<\/a>/g)).toEqual(['>Page A</a>', '>Own words</a>']);
});

test.each([
  [
    'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
    'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1',
  ],
  ['https://youtu.be/dQw4w9WgXcQ?t=3', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1'],
  [
    'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ',
    'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1',
  ],
  ['https://player.vimeo.com/video/76979871', 'https://player.vimeo.com/video/76979871?autoplay=1&dnt=1'],
  [
    'https://www.loom.com/share/0123456789abcdef0123456789abcdef',
    'https://www.loom.com/embed/0123456789abcdef0123456789abcdef?autoplay=1',
  ],
  ['https://www.youtube.com/@channel', null],
  ['https://www.youtube.com.example.org/watch?v=dQw4w9WgXcQ', null],
  ['https://example.org/?https://youtu.be/dQw4w9WgXcQ', null],
  ['https://www.loom.com/share/../../evil', null],
])('the video at %s has its player', (address, player) => {
  expect(playerOf(address)?.address ?? null).toBe(player);
});

test('a video leads to its page, and names the player that a press opens', async () => {
  const markdown = '<iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ"></iframe>';
  const page = await renderPage(markdown, { isForSite: true, blockTitles: { video: 'Film' } });
  expect(page.trim()).toBe(
    '<figure class="embed video"><a href="https://www.youtube.com/embed/dQw4w9WgXcQ" data-player="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1">Film (YouTube)</a></figure>',
  );
  expect(await renderPage(markdown.replace('><', ' title="A talk"><'), { isForSite: true })).toContain(
    '>A talk</a>',
  );
  expect(await renderPage(markdown)).not.toContain('data-player');
  const written = '<a href="https://example.org" data-player="https://example.org/x">x</a>';
  expect(await renderPage(written, { isForSite: true })).not.toContain('data-player');
});

test('the source of a diagram is there to be read, and to be drawn', async () => {
  const markdown = '```mermaid\ngraph TD; A-->B\n```';
  expect(await renderPage(markdown, { isForSite: true })).toBe(
    '<pre tabindex="0" class="diagram"><code class="language-mermaid">graph TD; A-->B\n</code></pre>',
  );
  expect(await renderPage(markdown)).not.toContain('diagram');
});

test('pages that are printed together have ids of their own', async () => {
  const markdown =
    '# Title\n\n## Part\n\n[There](#part) and [away](other.md)[^1].\n\n![](a.png)\n\n[^1]: Note\n\n<div align="left">\n\n=== "One"\n\n    Text\n\n</div>';
  const options = { isForSite: true, idPrefix: 'p2-', resolveLink: () => '#p3' };
  const page = await renderPage(markdown, { ...options, resolveImage: () => '/a.png' });
  const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  expect(ids.length).toBeGreaterThan(3);
  for (const id of ids) expect(id).toMatch(/^p2-/);
  const fragments = [...page.matchAll(/ href="#([^"]*)"/g)].map(([, id]) => decodeURIComponent(id ?? ''));
  expect(fragments.filter((id) => !ids.includes(id))).toEqual(['p3']);
  expect(page).not.toContain('loading="lazy"');
  const described = /aria-describedby="([^"]*)"/.exec(page)?.[1];
  expect(ids).toContain(described);
});

test.each([
  ['## The *title*', 'The title', true],
  ['### The title {#x}', 'The title', true],
  ['## Another', 'The title', false],
  ['Words\n\n## The title', 'The title', false],
  ['## The title\n\n# Real', 'The title', false],
])('%j under “%s” is the title of the page: %s', async (markdown, title, isTitle) => {
  const page = await renderPageParts(markdown, { title, isForSite: true, dialect: 'mdbook' });
  expect(page.title !== null).toBe(isTitle);
  if (isTitle) expect([page.title?.includes('<h1'), page.body.trim()]).toEqual([true, '']);
});
