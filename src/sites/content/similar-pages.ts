import type { IndexedPage, PageIndex } from './page-index.ts';

const MAX_PAGES = 5;

/** Words that begin alike are taken for one: `config` and `configuration`. */
const BEGINNING = 4;

/** The pages whose paths and titles have most words in common with a path that leads to none, the nearest first. */
export function similarPages({ readingOrder }: PageIndex, path: string): readonly IndexedPage[] {
  const segments = path.split('/');
  const last = wordsOf(segments.at(-1) ?? '');
  const above = wordsOf(segments.slice(0, -1).join('/'));
  if (last.size === 0) return [];
  const scored: { readonly page: IndexedPage; readonly score: number }[] = [];
  for (const page of readingOrder) {
    const words = wordsOf(`${page.row.path}/${page.row.title}`);
    const common = countCommon(last, words);
    // A folder alone says little, but tells equal names apart.
    if (common > 0) scored.push({ page, score: common * 4 + countCommon(above, words) - words.size / 100 });
  }
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_PAGES)
    .map(({ page }) => page);
}

function wordsOf(text: string): ReadonlySet<string> {
  const words =
    text
      .toLowerCase()
      .replace(/\.(?:html?|mdx?)$/, '')
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.map((word) => word.slice(0, BEGINNING)));
}

function countCommon(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let count = 0;
  for (const word of some) if (others.has(word)) count += 1;
  return count;
}
