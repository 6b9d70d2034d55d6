import { html, type Markup } from '../../markup/index.ts';
import { languageAttributes } from './direction.ts';
import type { ShownPage } from './site-page.ts';
import type { Words } from './words/index.ts';

/** Fewer headings need no list of them. */
const FROM = 2;

/** The headings of the two upper levels: beside the text where there is room, otherwise folded in above it. */
export function renderOutline(
  { outline, original }: Pick<ShownPage, 'outline' | 'original'>,
  words: Words,
): Markup | null {
  const below = outline.filter(({ level }) => level > 1);
  const top = Math.min(...below.map(({ level }) => level));
  const entries = below.filter(({ level }) => level <= top + 1);
  if (entries.length < FROM) return null;
  return html`<nav class="outline" aria-label="${words.onThisPage}"><details><summary>${words.onThisPage}</summary>
<ul${languageAttributes(original)}>${entries.map(
    ({ id, text, level, apiStyle }) =>
      html`<li${classOf([level > top ? 'deeper' : null, apiStyle])}><a href="#${encodeURIComponent(id)}">${text}</a></li>`,
  )}</ul></details></nav>`;
}

function classOf(names: readonly (string | null | undefined)[]): Markup | null {
  const given = names.filter((name) => name != null);
  return given.length === 0 ? null : html` class="${given.join(' ')}"`;
}
