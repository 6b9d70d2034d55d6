import { html, type Markup } from '../../markup/index.ts';
import { anchor } from './anchor.ts';
import { menu } from './menu.ts';
import type { VariantLink } from './site-page.ts';
import type { Words } from './words/index.ts';

/** The switch between versions or languages. It says where the page is missing, and leads to the nearest one there. */
export function renderVariants(variants: readonly VariantLink[], words: Words): Markup | null {
  const current = variants.find(({ isCurrent }) => isCurrent);
  if (variants.length === 0) return null;
  const languages = new Set(variants.map(({ language }) => language));
  const name = languages.size === variants.length && !languages.has(null) ? words.language : words.version;
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
