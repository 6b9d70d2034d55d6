import fc from 'fast-check';
import type { Root } from 'hast';
import { describe, expect, it } from 'vitest';
import { comparePages } from '../../../src/content/diff/index.ts';
import { renderToTree } from '../../../src/content/render/index.ts';
import { fromHtml } from './from-html.ts';

const blocks = fc.constantFrom(
  '# Title',
  '## Set up {#x}',
  'A paragraph with **bold** words and a [link](https://a.example/).',
  'A paragraph with *other* words and a [link](https://b.example/).',
  'One. Two. Three.',
  'One. Three. Four.',
  '* one\n* two\n  * nested\n* three',
  '* one\n* 2\n* three and more',
  '1. first\n2. second',
  '> quoted text\n>\n> more of it',
  '```js\nconst a = 1;\nlet b;\n```',
  '```js\nconst a = 2;\nlet b;\n```',
  '| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |',
  '| a | b |\n|---|---|\n| 1 | 2 |\n| 5 | 4 |',
  '| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |',
  '![picture](https://a.example/a.png)',
  '<details><summary>More</summary>\n\nHidden text.\n\n</details>',
  '---',
  'Text with `code` & <kbd>Ctrl</kbd>\nand a second line  \nafter a break',
);
const pages = fc.array(blocks, { maxLength: 8 }).map((list) => list.join('\n\n'));

const words = (html: string, without: 'ins' | 'del') => {
  const text = fromHtml(html, without);
  return text.replace(/\s+/g, '');
};

async function compare(before: string, after: string) {
  return comparePages(await renderToTree(before), await renderToTree(after));
}

async function textOf(markdown: string): Promise<string> {
  return plain(await renderToTree(markdown)).replace(/\s+/g, '');
}

function plain(node: Root | Root['children'][number]): string {
  if (node.type === 'text') return node.value;
  return 'children' in node ? node.children.map(plain).join('') : '';
}

describe('comparePages', () => {
  it('has the text of the new page without what was deleted, and of the old one without what was inserted', async () => {
    await fc.assert(
      fc.asyncProperty(pages, pages, async (before, after) => {
        const { html, inserted, deleted, moved } = await compare(before, after);
        expect(words(html, 'del')).toBe(await textOf(after));
        const isMovedOnly = inserted === 0 && deleted === 0;
        if (moved === 0) expect(words(html, 'ins')).toBe(await textOf(before));
        else expect([...words(html, 'ins')].toSorted()).toEqual([...(await textOf(before))].toSorted());
        if (before === after) expect([isMovedOnly, moved]).toEqual([true, 0]);
      }),
    );
  });

  it.each([
    [
      'words of a paragraph',
      'Use the old key to sign in.',
      'Use the new key to sign in.',
      '<p>Use the <del>old</del><ins>new</ins> key to sign in.</p>',
    ],
    [
      'a paragraph that was added',
      'One.',
      'One.\n\nTwo is new.',
      '<p>One.</p><ins class="diff-block"><p>Two is new.</p></ins>',
    ],
    [
      'an item of a list',
      '* one\n* two',
      '* one\n* two\n* three',
      '<ul><li>one</li><li>two</li><li class="diff-inserted"><ins class="diff-block">three</ins></li></ul>',
    ],
    [
      'a cell of a table',
      '| a | b |\n|---|---|\n| one two | 2 |',
      '| a | b |\n|---|---|\n| one three | 2 |',
      '<td>one <del>two</del><ins>three</ins></td>',
    ],
    [
      'where a link leads',
      'See [the guide](https://a.example/).',
      'See [the guide](https://b.example/).',
      '<del><a href="https://a.example/">the guide</a></del>',
    ],
  ])('marks %s', async (_what, before, after, expected) => {
    const { html } = await compare(before, after);
    expect(html.replaceAll('\n', '')).toContain(expected);
  });

  it('keeps what only moved apart from what is new', async () => {
    const { html, inserted, deleted, moved } = await compare(
      'First paragraph here.\n\nSecond one there.\n\nThird.',
      'Second one there.\n\nThird.\n\nFirst paragraph here.',
    );
    expect([inserted, deleted, moved]).toEqual([0, 0, 1]);
    expect(html).toContain('<ins class="diff-block diff-moved"><p>First paragraph here.</p></ins>');
  });

  it('has each anchor once', async () => {
    const { html } = await compare(
      '## Old name\n\nText.\n\n## Set up',
      '## Set up\n\nOther.\n\n## Old name now',
    );
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
