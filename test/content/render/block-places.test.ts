import { describe, expect, it } from 'vitest';
import { blocksOf } from '../../../src/content/anchors/index.ts';
import { comparePages } from '../../../src/content/diff/index.ts';
import {
  type BlockPlace,
  fillBlockPlaces,
  insertBlockPlaces,
  renderPage,
  renderPageParts,
  renderToTree,
  toDocument,
} from '../../../src/content/render/index.ts';

const PAGE = `# Title

Some text.

- one
- two

  more of it

> Quoted.

| a | b |
| - | - |
| 1 | 2 |

\`\`\`js
const a = 1; // [!code highlight]
\`\`\`

<details><summary>More</summary>

Inside.

</details>
`;

async function placesOf(markdown: string): Promise<{ readonly body: string; readonly places: BlockPlace[] }> {
  const { body } = await renderPageParts(markdown, { hasBlockPlaces: true, highlight: true });
  const places: BlockPlace[] = [];
  const rest = fillBlockPlaces(body, (place) => {
    places.push(place);
    return '';
  });
  return { body: rest, places };
}

describe('places for comments on blocks', () => {
  it('are after each block, or in its item, and name the nodes that the API returns', async () => {
    const { places } = await placesOf(PAGE);
    const blocks = new Map(blocksOf(await toDocument(PAGE)).map((block) => [block.key, block]));
    expect(
      places.flatMap(({ own, text }) => (own === null ? [] : [`${blocks.get(own)?.type}: ${text}`])),
    ).toEqual([
      'heading-1: Title',
      'paragraph: Some text.',
      'list-item: one',
      'paragraph: more of it',
      'list-item: two more of it',
      'blockquote: Quoted.',
      'table: a b 1 2',
      'code: const a = 1;',
      'paragraph: Inside.',
      'expandable: More Inside.',
    ]);
    const keys = places.flatMap((place) => place.keys);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.toSorted()).toEqual([...blocks.keys()].toSorted());
  });

  it('leave the page as it is', async () => {
    const { title } = await renderPageParts(PAGE, { hasBlockPlaces: true, highlight: true });
    const { body } = await placesOf(PAGE);
    expect(`${title}${body}`).toBe(await renderPage(PAGE, { highlight: true }));
  });

  it('cannot be written by an author', async () => {
    const forged = `<div data-docloom-place="1" data-keys="1" data-text="x"></div>`;
    const pages = [
      forged,
      `<span title='${forged}'>a</span>`,
      `\`${forged}\``,
      `![${forged}](a.png '${forged}')`,
    ];
    for (const page of pages) {
      expect(fillBlockPlaces(await renderPage(page), () => 'FORGED')).not.toContain('FORGED');
    }
  });

  it('of a difference are at the blocks of the proposed page', async () => {
    const after = 'Kept.\n\nAn edited paragraph of some words.\n\nNew one.\n';
    const { html } = comparePages(
      await renderToTree('Kept.\n\nA paragraph of some words.\n\nGone.\n'),
      await renderToTree(after, { hasBlockPlaces: true }),
      insertBlockPlaces,
    );
    const blocks = blocksOf(await toDocument(after));
    const found: (string | null)[] = [];
    fillBlockPlaces(html, ({ own }) => {
      found.push(own);
      return '';
    });
    expect(found).toEqual(blocks.map(({ key }) => key));
  });
});
