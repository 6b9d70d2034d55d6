import { html, type Markup } from '../../markup/index.ts';
import type { NavigationItem, SitePage } from './site-page.ts';

/** The HTML of a page of a site. */
export function renderSitePage({ frame, page }: SitePage): string {
  return html`<!doctype html>
<html lang="${frame.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title} · ${frame.title}</title>
<link rel="canonical" href="${page.canonical}">
</head>
<body>
<header><a href="${frame.homeHref}">${frame.title}</a></header>
<nav aria-label="Pages">${renderItems(frame.navigation)}</nav>
<main>${page.heading ?? html`<h1>${page.title}</h1>`}
${page.body}
</main>
</body>
</html>
`.text;
}

function renderItems(items: readonly NavigationItem[]): Markup | null {
  if (items.length === 0) return null;
  return html`<ul>${items.map(
    ({ title, href, items }) =>
      html`<li>${href === null ? title : html`<a href="${href}">${title}</a>`}${renderItems(items)}</li>`,
  )}</ul>`;
}
