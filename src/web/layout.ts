import { html, type Markup } from '../markup/index.ts';
import { favicon, stylesheet } from './stylesheet.ts';

export interface LayoutOptions {
  /** The text of the browser's tab, without the name of the product. */
  readonly title: string;
  /** Everything between header and footer. It contains the page's only `<h1>`. */
  readonly main: Markup;
  /** Between the header and the main part, for breadcrumbs. */
  readonly above?: Markup | null;
  /** The signed-in user; without one, the header has no account menu. */
  readonly user?: { readonly displayName: string } | null;
}

/** Begins the ids of this layout, which rendered content may not use: all other ids belong to the authors of pages. */
export const ID_PREFIX = 'docloom-';

/** The frame of every page: head, skip link, header with account, main part, footer. */
export function renderLayout(options: LayoutOptions): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${options.title} · Docloom</title>
<link rel="icon" href="${favicon().href}" type="image/svg+xml">
<link rel="stylesheet" href="${stylesheet().href}">
</head>
<body>
<a class="skip" href="#docloom-main">Skip to the content</a>
<header class="top">
<div class="wide">
<a class="brand" href="/">${mark}<span>Docloom</span></a>
${options.user ? account(options.user.displayName) : null}
</div>
</header>
${options.above}
<main id="docloom-main" tabindex="-1" class="wide">
${options.main}
</main>
<footer class="bottom"><div class="wide">Docloom keeps docs repositories and their pages in sync.</div></footer>
</body>
</html>
`.text;
}

/** The logo: three woven threads, in the colour of the text around it. */
const mark = html`<svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
<path class="warp" d="M6 2v20M12 2v20M18 2v20"/><path class="weft" d="M2 6h7M15 6h7M8 12h8M2 12h1M21 12h1M2 18h7M15 18h7"/></svg>`;

function account(name: string): Markup {
  return html`<nav class="account" aria-label="Account">
<a href="/status">Status</a>
<a class="who" href="/account">${name}</a>
<form method="post" action="/logout"><button class="quiet" type="submit">Sign out</button></form>
</nav>`;
}
