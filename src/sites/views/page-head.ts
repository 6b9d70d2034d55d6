import { html, type Markup, safeHref } from '../../markup/index.ts';
import { anchor } from './anchor.ts';
import { languageAttributes } from './direction.ts';
import { icons } from './icons.ts';
import { menu } from './menu.ts';
import type { ShownPage } from './site-page.ts';
import { fill, type Words } from './words/index.ts';

/** What stands above the text: where the page is, its title, description, and what can be done with it. */
export function renderPageHead(page: ShownPage, words: Words): Markup {
  const { layout, emoji, title, description } = page;
  const language = languageAttributes(page.original);
  if (page.hasHero)
    return html`${renderOriginal(page, words)}<header class="landing"${language}>${page.heading}</header>`;
  const heading = page.heading ?? html`<h1>${title}</h1>`;
  return html`<header class="page-head">
${renderTrail(page, words)}
<div class="title${layout.hasTitle ? null : ' hidden'}"${language}>${emoji === null ? null : html`<span class="emoji" aria-hidden="true">${emoji}</span>`}${heading}</div>
${description === null || !layout.hasDescription ? null : html`<p class="description"${language}>${description}</p>\n`}${renderActions(page, words)}${renderOriginal(page, words)}
</header>`;
}

/** Says why the text is in another language than everything around it. */
function renderOriginal({ original }: ShownPage, words: Words): Markup | null {
  if (original === null) return null;
  return html`<p class="untranslated" role="note">${words.notTranslated} ${anchor(original.href, words.readOriginal)}</p>\n`;
}

function renderTrail({ trail }: ShownPage, words: Words): Markup | null {
  if (trail.length === 0) return null;
  return html`<nav class="trail" aria-label="${words.breadcrumbs}"><ol>${trail.map(
    ({ title, href }) => html`<li>${anchor(href, title)}</li>`,
  )}</ol></nav>`;
}

/** Copying needs the script; the Markdown itself does not. */
function renderActions({ actions, markdownHref, editHref }: ShownPage, words: Words): Markup | null {
  if (actions === null) return null;
  const markdown = actions.hasMarkdown ? safeHref(markdownHref) : null;
  const items = [
    markdown === null ? null : anchor(markdown, words.viewMarkdown),
    safeHref(editHref) === null ? null : anchor(editHref, words.edit),
    actions.mcpHref === null ? null : anchor(actions.mcpHref, words.connectMcp),
    actions.printHrefs.section === null ? null : anchor(actions.printHrefs.section, words.printSection),
    actions.printHrefs.site === null ? null : anchor(actions.printHrefs.site, words.printSite),
    ...actions.assistants.map(({ name, href }) => anchor(href, fill(words.openIn, { name }))),
  ].filter((item) => item !== null);
  if (items.length === 0) return null;
  const copy =
    markdown === null
      ? null
      : html`<button class="copy-page needs-script" type="button" data-markdown="${markdown}">${icons.copy}<span>${words.copyPage}</span></button>`;
  return html`<div class="actions">${copy}${menu({
    label: words.pageActions,
    content: null,
    items: items.map((item) => html`<li>${item}</li>`),
  })}</div>`;
}
