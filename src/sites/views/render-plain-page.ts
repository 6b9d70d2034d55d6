import { html, type Markup, safeHref } from '../../markup/index.ts';
import { directionOf } from './direction.ts';
import { siteAssets } from './site-assets.ts';

export interface PlainPage {
  /** A BCP 47 tag. */
  readonly language: string;
  /** See {@link SiteFrame.assetsHref}. */
  readonly assetsHref: string;
  readonly title: string;
  readonly body: Markup;
  /** The whole address under which search engines shall know the page; null where they shall not. */
  readonly canonical: string | null;
}

/** A page in the look of sites that belongs to none of them. */
export function renderPlainPage({ language, assetsHref, title, body, canonical }: PlainPage): string {
  const { style, theme, favicon } = siteAssets();
  return html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${
  canonical === null
    ? html`<meta name="robots" content="noindex">`
    : html`<link rel="canonical" href="${safeHref(canonical)}">`
}
<script src="${assetsHref}${theme.name}"></script>
<link rel="stylesheet" href="${assetsHref}${style.name}">
<link rel="icon" href="${assetsHref}${favicon.name}">
</head>
<body class="plain">
<div class="layout">
<main id="docloom-main">
<header class="page-head"><div class="title"><h1>${title}</h1></div></header>
<article class="content">${body}</article>
</main>
</div>
</body>
</html>
`.text;
}
