import { html, type Markup, safeHref } from '../../markup/index.ts';
import { anchor } from './anchor.ts';
import { icons } from './icons.ts';
import { menu } from './menu.ts';
import type { ShownPage } from './site-page.ts';
import type { Words } from './words/index.ts';

/** What stands above the text: where the page is, its title, description, and what can be done with it. */
export function renderPageHead(page: ShownPage, words: Words): Markup {
  const { layout, emoji, title, description } = page;
  const heading = page.heading ?? html`<h1>${title}</h1>`;
  return html`<header class="page-head">
${renderTrail(page, words)}
<div class="title${layout.hasTitle ? null : ' hidden'}">${emoji === null ? null : html`<span class="emoji" aria-hidden="true">${emoji}</span>`}${heading}</div>
${description === null || !layout.hasDescription ? null : html`<p class="description">${description}</p>\n`}${renderActions(page, words)}
</header>`;
}

function renderTrail({ trail }: ShownPage, words: Words): Markup | null {
  if (trail.length === 0) return null;
  return html`<nav class="trail" aria-label="${words.breadcrumbs}"><ol>${trail.map(
    ({ title, href }) => html`<li>${anchor(href, title)}</li>`,
  )}</ol></nav>`;
}

/** Copying needs the script; the Markdown itself does not. */
function renderActions({ markdownHref, editHref }: ShownPage, words: Words): Markup | null {
  const markdown = safeHref(markdownHref);
  if (markdown === null) return null;
  return html`<div class="actions"><button class="copy-page needs-script" type="button" data-markdown="${markdown}">${icons.copy}<span>${words.copyPage}</span></button>${menu(
    {
      label: words.pageActions,
      content: null,
      items: html`<li>${anchor(markdown, words.viewMarkdown)}</li>${
        safeHref(editHref) === null ? null : html`<li>${anchor(editHref, words.edit)}</li>`
      }`,
    },
  )}</div>`;
}
