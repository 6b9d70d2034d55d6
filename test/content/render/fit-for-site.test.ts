import { expect, test } from 'vitest';
import { renderPage } from '../../../src/content/render/index.ts';

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
