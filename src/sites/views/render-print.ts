import { type HtmlValue, html, type Markup, safeHref } from '../../markup/index.ts';
import { anchor } from './anchor.ts';
import { directionOf } from './direction.ts';
import { diagramScript } from './document-head.ts';
import { scriptWords } from './script-words.ts';
import { siteAssets } from './site-assets.ts';
import { fill, wordsFor } from './words/index.ts';

/** Pages of a site in one document, to print or to save. */
export interface PrintedSite {
  /** A BCP 47 tag. */
  readonly language: string;
  /** Of the site. */
  readonly title: string;
  /** The whole address of what is printed. */
  readonly source: string;
  /** See `SiteFrame`. */
  readonly assetsHref: string;
  /** The stylesheet that `siteStyles` makes of the look. */
  readonly styleHref: string;
  readonly spaces: readonly PrintedSpace[];
  /** The documents in which the rest is, in their order; only one where that is all. */
  readonly parts: readonly { readonly href: string; readonly isCurrent: boolean }[];
}

export interface PrintedSpace {
  /** Null where there is only one. */
  readonly title: string | null;
  readonly contents: readonly PrintedEntry[];
  readonly pages: readonly PrintedPage[];
}

/** An entry of the contents: a page, or a heading above pages. */
export interface PrintedEntry {
  readonly title: string;
  /** Null for a heading. */
  readonly href: string | null;
  readonly entries: readonly PrintedEntry[];
}

export interface PrintedPage {
  readonly id: string;
  readonly title: string;
  readonly heading: Markup | null;
  readonly description: string | null;
  readonly body: Markup;
}

/** The HTML of pages that are printed together: a title, the contents, and each page on a sheet of its own. */
export function renderPrint(printed: PrintedSite): string {
  const { language, title, source, assetsHref, styleHref, spaces, parts } = printed;
  const { style, blocks, script, theme, favicon } = siteAssets();
  const words = wordsFor(language);
  const pages = spaces.flatMap((space) => space.pages);
  return html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="robots" content="noindex">
<script src="${assetsHref}${theme.name}"></script>
<link rel="stylesheet" href="${assetsHref}${style.name}">
<link rel="stylesheet" href="${assetsHref}${blocks.name}">
<link rel="stylesheet" href="${safeHref(styleHref)}">
<script type="module" src="${assetsHref}${script.name}"></script>
${diagramScript({ assetsHref, language }, pages.map(({ body }) => body.text).join(''))}<link rel="icon" href="${assetsHref}${favicon.name}">
</head>
<body class="printed" data-words="${scriptWords(words)}">
<div class="layout">
<main id="docloom-main">
<header class="page-head"><div class="title"><h1>${title}</h1></div>
<p class="description">${anchor(source, source)}</p>
<button class="print-button needs-script" type="button">${words.print}</button>
</header>
<nav class="contents" aria-label="${words.contents}"><h2>${words.contents}</h2>
${spaces.map((space) => [space.title === null ? null : html`<h3>${space.title}</h3>\n`, renderEntries(space.contents)])}
${parts.length < 2 ? null : renderParts(parts, words.part)}</nav>
${pages.map(renderPage)}
</main>
</div>
</body>
</html>
`.text;
}

function renderEntries(entries: readonly PrintedEntry[]): HtmlValue {
  if (entries.length === 0) return null;
  return html`<ul>${entries.map(
    ({ title, href, entries: below }) => html`<li>${anchor(href, title)}${renderEntries(below)}</li>`,
  )}</ul>\n`;
}

function renderParts(parts: PrintedSite['parts'], sentence: string): Markup {
  const count = String(parts.length);
  return html`<ul class="parts">${parts.map(
    ({ href, isCurrent }, at) =>
      html`<li>${anchor(href, fill(sentence, { part: String(at + 1), count }), { current: isCurrent ? 'page' : null })}</li>`,
  )}</ul>\n`;
}

function renderPage({ id, title, heading, description, body }: PrintedPage): Markup {
  return html`<section class="printed-page" id="${id}">
${heading ?? html`<h1>${title}</h1>`}
${description === null ? null : html`<p class="description">${description}</p>\n`}<article class="content">
${body}
</article>
</section>
`;
}
