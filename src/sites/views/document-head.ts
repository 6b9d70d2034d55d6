import { dataScript, html, inline, type Markup, safeHref } from '../../markup/index.ts';
import { hasDiagram } from './has-diagram.ts';
import { siteAssets } from './site-assets.ts';
import type { SitePage } from './site-page.ts';
import { siteStyles } from './site-styles.ts';
import { stylesFor } from './style-parts.ts';
import { wordsFor } from './words/index.ts';

/**
 * The head of a page. With the styles and the script of the theme in it, a page is shown as soon as it is there, and never
 * flashes in another look; the frame comes before the text, and its parts would move each other as they arrive. Everything
 * else waits in {@link renderAfterwards}.
 *
 * @param body the HTML that the styles are for
 */
export function renderHead({ frame, page }: SitePage, body: string): Markup {
  const { theme, favicon } = siteAssets();
  const title = page.title === frame.title ? page.title : `${page.title} · ${frame.title}`;
  const image = safeHref(page.socialImage);
  return html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${page.description === null ? null : html`<meta name="description" content="${page.description}">\n`}${
  page.isIndexed ? null : html`<meta name="robots" content="noindex">\n`
}${inline('style', stylesFor(body) + siteStyles(frame.look))}
${inline('script', theme.body.toString())}
<link rel="expect" href="#${endOfFirstScreen(page)}" blocking="render">
<link rel="icon" href="${safeHref(frame.favicon) ?? frame.assetsHref + favicon.name}">
<link rel="canonical" href="${safeHref(page.canonical)}">
${page.markdownHref === null ? null : html`<link rel="alternate" type="text/markdown" href="${safeHref(page.markdownHref)}">\n`}${page.alternates.map(({ language, href }) => html`<link rel="alternate" hreflang="${language}" href="${safeHref(href)}">\n`)}${frame.feeds.map(
  (feed) =>
    html`<link rel="alternate" type="application/rss+xml" title="${feed.title}" href="${safeHref(feed.href)}">\n`,
)}${link('prev', page.previous?.href)}${link('next', page.next?.href)}<meta property="og:type" content="article">
<meta property="og:title" content="${page.title}">
<meta property="og:site_name" content="${frame.title}">
<meta property="og:url" content="${safeHref(page.canonical)}">
${page.description === null ? null : html`<meta property="og:description" content="${page.description}">\n`}${
  image === null
    ? null
    : html`<meta property="og:image" content="${image}">\n<meta name="twitter:card" content="summary_large_image">\n`
}${page.structuredData === null ? null : html`${dataScript('application/ld+json', page.structuredData)}\n`}</head>`;
}

/** About what the screen of a phone shows, in characters of HTML. */
const FIRST_SCREEN = 1_500;

/**
 * The id of what has to be there before the page is shown: the first heading beyond the first screen. So the frame and the
 * beginning of the text appear at once, and nobody waits for the end of a long page.
 */
function endOfFirstScreen({ body, outline }: SitePage['page']): string {
  const beyond = outline.find(({ id }) => body.text.indexOf(html` id="${id}"`.text) > FIRST_SCREEN);
  return beyond?.id ?? 'docloom-text';
}

/** At the end of a page: what makes it livelier, and the look of what only scripts and printers show. */
export function renderAfterwards({ frame, page }: SitePage): Markup {
  const { laterStyle, script, operationScript } = siteAssets();
  const hasCalls = page.operations?.hasScript === true;
  const written = `${page.heading?.text ?? ''}${page.body.text}`;
  return html`<link rel="stylesheet" href="${frame.assetsHref}${laterStyle.name}">
<script type="module" src="${frame.assetsHref}${script.name}"></script>
${diagramScript(frame, written)}${hasCalls ? html`<script type="module" src="${frame.assetsHref}${operationScript.name}"></script>\n` : null}`;
}

/** The script that draws diagrams, where the HTML of a page has some. */
export function diagramScript(
  { assetsHref, language }: Pick<SitePage['frame'], 'assetsHref' | 'language'>,
  written: string,
): Markup | null {
  if (!hasDiagram(written)) return null;
  const { diagrams, diagramFrame } = siteAssets();
  const { diagram, source } = wordsFor(language);
  return html`<script type="module" id="docloom-diagrams" src="${assetsHref}${diagrams.name}" data-frame="${assetsHref}${diagramFrame.name}" data-words="${JSON.stringify({ diagram, source })}"></script>\n`;
}

function link(rel: 'prev' | 'next', href: string | null | undefined): Markup | null {
  const address = safeHref(href);
  return address === null ? null : html`<link rel="${rel}" href="${address}">\n`;
}
