import { html, type Markup } from '../../markup/index.ts';
import { anchor } from './anchor.ts';
import { menu } from './menu.ts';
import type { SectionLink } from './site-page.ts';
import type { Words } from './words/index.ts';

/** The sections as tabs, groups of them as menus. */
export function renderSections(sections: readonly SectionLink[], words: Words): Markup | null {
  if (sections.length === 0) return null;
  return html`<nav class="sections" aria-label="${words.sections}"><ul>${sections.map(
    (section) =>
      html`<li>${
        section.children.length === 0
          ? renderSection(section)
          : menu({
              content: section.title,
              isCurrent: section.isCurrent || section.children.some(({ isCurrent }) => isCurrent),
              items: section.children.flatMap(leaves).map((child) => html`<li>${renderSection(child)}</li>`),
            })
      }</li>`,
  )}</ul></nav>`;
}

function renderSection({ title, description, href, isCurrent }: SectionLink): Markup {
  return anchor(href, html`${title}${description === null ? null : html`<small>${description}</small>`}`, {
    current: isCurrent ? 'true' : null,
  });
}

/** The sections of a group and of the groups in it. */
function leaves(section: SectionLink): readonly SectionLink[] {
  return section.children.length === 0 ? [section] : section.children.flatMap(leaves);
}
