import { html, type Markup, safeHref } from '../../markup/index.ts';
import { anchor, leadsElsewhere } from './anchor.ts';
import { icons } from './icons.ts';
import { menu } from './menu.ts';
import type { HeaderLink, SiteFrame } from './site-page.ts';
import { renderVariants } from './site-variants.ts';
import type { Words } from './words/index.ts';

export interface HeaderOptions {
  readonly frame: SiteFrame;
  readonly words: Words;
  readonly hasDrawer: boolean;
}

/** The row at the top, which stays in view: title, variants, search, links, theme. */
export function renderHeader({ frame, words, hasDrawer }: HeaderOptions): Markup {
  return html`<header class="top"><div class="row">
${
  hasDrawer
    ? html`<button class="icon-button drawer-button" type="button" popovertarget="docloom-drawer" aria-label="${words.openNavigation}">${icons.menu}</button>\n`
    : null
}<a class="brand" href="${safeHref(frame.homeHref)}">${renderLogo(frame)}</a>
${renderVariants(frame, words)}
<form class="search" role="search" action="${safeHref(frame.searchHref)}"><button aria-label="${words.search}">${icons.search}</button><input type="search" name="q" placeholder="${words.search}" aria-label="${words.search}" autocomplete="off" spellcheck="false"><input type="hidden" name="from" value="${frame.searchFrom}"><kbd class="needs-script" aria-hidden="true">Ctrl K</kbd></form>
${renderLinks(frame, words)}
${
  frame.look.canToggleTheme
    ? html`<button class="icon-button theme-button needs-script" type="button" aria-pressed="false" aria-label="${words.darkTheme}">${icons.sun}${icons.moon}</button>\n`
    : null
}</div></header>`;
}

/** A logo says the name of the site; a picture that is shown in one theme only is not loaded in the other. */
function renderLogo({ logo, title }: SiteFrame): Markup {
  const light = safeHref(logo?.light);
  const dark = safeHref(logo?.dark);
  if (light === null) return html`<span>${title}</span>`;
  if (dark === null) return html`<img src="${light}" alt="${title}" height="32">`;
  return html`<img class="if-light" src="${light}" alt="${title}" height="32"><img class="if-dark" src="${dark}" alt="${title}" height="32" loading="lazy">`;
}

/** A menu on small screens; side by side on large ones. */
function renderLinks({ headerLinks, look }: SiteFrame, words: Words): Markup | null {
  if (headerLinks.length === 0) return null;
  return html`<nav class="links" aria-label="${words.links}">${menu({
    className: 'spread',
    label: words.more,
    content: icons.more,
    items: headerLinks.map((link) => html`<li>${renderLink(link, look.externalLinksInNewTab)}</li>`),
  })}</nav>`;
}

function renderLink({ title, href, style, links }: HeaderLink, isInNewTab: boolean): Markup {
  if (links.length > 0) {
    return html`<details class="menu" name="docloom-submenu"><summary>${title}</summary><ul>${links.map(
      (link) => html`<li>${renderLink({ ...link, style: 'link', links: [] }, isInNewTab)}</li>`,
    )}</ul></details>`;
  }
  return anchor(href, title, {
    className: style === 'link' ? null : style,
    isInNewTab: isInNewTab && leadsElsewhere(href),
  });
}
