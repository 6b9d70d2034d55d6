import { html, inline, type Markup, safeHref } from '../../markup/index.ts';
import { anchor } from './anchor.ts';
import { directionOf, languageAttributes } from './direction.ts';
import { renderAfterwards, renderHead } from './document-head.ts';
import { icons } from './icons.ts';
import { operationScriptWords } from './operation-words/index.ts';
import { renderPageFoot } from './page-foot.ts';
import { renderPageHead } from './page-head.ts';
import { renderOutline } from './page-outline.ts';
import { renderPageTree } from './page-tree.ts';
import { scriptWords } from './script-words.ts';
import { renderFooter } from './site-footer.ts';
import { renderHeader } from './site-header.ts';
import type { ShownPage, SiteFrame, SitePage } from './site-page.ts';
import { renderSections } from './site-sections.ts';
import { siteStyles } from './site-styles.ts';
import { stylesFor } from './style-parts.ts';
import { type Words, wordsFor } from './words/index.ts';

/** The HTML of a page of a site. */
export function renderSitePage(sitePage: SitePage): string {
  const { look, language } = sitePage.frame;
  const words = wordsFor(language);
  const { className, content } = renderBody(sitePage, words);
  const body = html`<body class="${className}" data-words="${scriptWords(words)}"${look.externalLinksInNewTab ? html` data-new-tab` : null}>
${content}
${renderAfterwards(sitePage)}</body>`;
  return html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}"${look.theme === 'system' ? null : html` data-theme="${look.theme}"`}${
    look.canToggleTheme ? null : html` data-fixed`
  }>
${renderHead(sitePage, body.text)}
${body}
</html>
`.text;
}

/** A page in one theme that reaches nothing: no script runs on it, and its styles are in it. */
export function renderPicture(sitePage: SitePage, theme: 'light' | 'dark'): string {
  const { language, title, look } = sitePage.frame;
  const { className, content } = renderBody(sitePage, wordsFor(language));
  const body = html`<body class="${className}">
${content}
</body>`;
  // What needs scripts is shown as readers with scripts see it.
  return html`<!doctype html>
<html class="js" lang="${language}" dir="${directionOf(language)}" data-theme="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${inline('style', stylesFor(body.text) + siteStyles(look))}
</head>
${body}
</html>
`.text;
}

/** Everything that people see on a page. */
function renderBody(
  sitePage: SitePage,
  words: Words,
): { readonly className: string; readonly content: Markup } {
  const { frame, page } = sitePage;
  const { look, language } = frame;
  const drawer = renderDrawer(sitePage, words);
  const outline = page.layout.hasOutline ? renderOutline(page, words) : null;
  const content = html`<a class="skip" href="#docloom-main">${words.skip}</a>
${renderBar(frame, words)}${renderAnnouncement(frame, words)}${renderHeader({ frame, words, hasDrawer: drawer !== null })}
<div class="layout">
${drawer}
<main id="docloom-main" tabindex="-1">
${renderCover(page)}${renderPageHead(page, words)}
${outline}
<article class="content" id="docloom-text"${languageAttributes(page.original)}${operationData(page, frame.language)}>
${page.body}
</article>
${renderPageFoot({ page, language, words, hasPagination: look.hasPagination && page.layout.hasPagination })}
</main>
</div>
${renderFooter(frame, words)}`;
  return { className: bodyClass(sitePage, outline !== null), content };
}

/** What the script of operations needs: its words, and where requests may be sent, as the policy of the page allows. */
function operationData({ operations }: ShownPage, language: string): Markup | null {
  if (operations?.hasScript !== true) return null;
  const { requestOrigins } = operations;
  const origins =
    requestOrigins.length === 0 ? null : html` data-request-origins="${requestOrigins.join(' ')}"`;
  return html` data-operation-words="${operationScriptWords(language)}"${origins}`;
}

/**
 * Known before the parts arrive, so that none of them moves another. Pages without headings have their text at the same
 * place, but for wide ones, which need the room.
 */
function bodyClass({ frame, page: { layout } }: SitePage, hasEntries: boolean): string {
  return [
    ...(frame.sections.length > 0 ? ['has-sections'] : []),
    ...(layout.hasNavigation ? ['has-pages'] : []),
    ...(layout.isWide ? ['is-wide'] : []),
    ...(layout.hasOutline && (hasEntries || !layout.isWide) ? ['has-outline'] : []),
  ].join(' ');
}

/** On small screens the button in the header opens it, without a script; on large ones it stands beside the page. */
function renderDrawer({ frame }: SitePage, words: Words): Markup | null {
  const sections = renderSections(frame.sections, words);
  const hasPages = frame.navigation.length > 0;
  if (sections === null && !hasPages) return null;
  const { externalLinksInNewTab } = frame.look;
  return html`<div class="drawer" id="docloom-drawer" popover>
<button class="icon-button" type="button" popovertarget="docloom-drawer" popovertargetaction="hide" aria-label="${words.close}">${icons.close}</button>
${sections}
${hasPages ? renderPageTree({ items: frame.navigation, words, externalLinksInNewTab }) : null}
</div>`;
}

/** What only members see. */
function renderBar({ bar }: SiteFrame, words: Words): Markup | null {
  if (bar === null) return null;
  return html`<aside class="bar" aria-label="${words.notice}">${bar.message} ${bar.href === null ? null : anchor(bar.href, bar.label)}${renderChanges(bar, words)}</aside>\n`;
}

function renderChanges({ changes }: NonNullable<SiteFrame['bar']>, words: Words): Markup | null {
  if (changes === null) return null;
  const summary = `${words.changedPages} (${changes.length})`;
  if (changes.length === 0) return html` <span>${summary}</span>`;
  const notes = { added: ` (${words.added})`, changed: null, removed: ` (${words.removed})` };
  return html` <details><summary>${summary}</summary><ul>${changes.map(
    ({ kind, title, href }) => html`<li>${href === null ? title : anchor(href, title)}${notes[kind]}</li>`,
  )}</ul></details>`;
}

function renderAnnouncement({ announcement }: SiteFrame, words: Words): Markup | null {
  if (announcement === null) return null;
  const { message, href, style } = announcement;
  return html`<aside class="announcement ${style}" aria-label="${words.announcement}">${anchor(href, message)}</aside>\n`;
}

function renderCover({ cover }: ShownPage): Markup | null {
  const light = safeHref(cover?.image.light);
  const dark = safeHref(cover?.image.dark);
  if (cover === null || light === null) return null;
  const className = cover.isWide ? 'cover wide' : 'cover';
  return html`<div class="${className}">${
    dark === null
      ? html`<img src="${light}" alt="${cover.alt}" fetchpriority="high">`
      : html`<img class="if-light" src="${light}" alt="${cover.alt}" fetchpriority="high"><img class="if-dark" src="${dark}" alt="${cover.alt}" loading="lazy">`
  }</div>\n`;
}
