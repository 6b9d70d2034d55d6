import { html, type Markup } from '../../markup/index.ts';
import { anchor } from './anchor.ts';
import { menu } from './menu.ts';
import type { SiteFrame, VariantLink } from './site-page.ts';
import type { Words } from './words/index.ts';

/** The switches between versions and languages. They say where the page is missing, and lead to the nearest one there. */
export function renderVariants(
  { variants, languages }: Pick<SiteFrame, 'variants' | 'languages'>,
  words: Words,
): Markup | null {
  const tags = new Set(variants.map(({ language }) => language));
  const name = tags.size === variants.length && !tags.has(null) ? words.language : words.version;
  return html`${renderSwitch(variants, name, words)}${renderSwitch(languages, words.language, words)}`;
}

function renderSwitch(variants: readonly VariantLink[], name: string, words: Words): Markup | null {
  if (variants.length === 0) return null;
  const current = variants.find(({ isCurrent }) => isCurrent);
  return html`<nav class="variants" aria-label="${name}">${menu({
    content: current?.title ?? name,
    items: variants.map(
      ({ title, href, language, isCurrent, hasPage }) =>
        html`<li>${anchor(
          href,
          html`${title}${hasPage ? null : html`<small>${words.missingThere}</small>`}`,
          { current: isCurrent ? 'true' : null, language },
        )}</li>`,
    ),
  })}</nav>`;
}
