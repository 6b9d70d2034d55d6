import { html, type Markup } from '../markup/index.ts';
import {
  accountPath,
  organizationPath,
  organizationsPath,
  searchEverythingPath,
  searchPath,
} from './addresses.ts';
import { dashboardScript, favicon, stylesheet } from './stylesheet.ts';

/** Where in the dashboard a page is: what its header switches between, and what its search looks through. */
export interface Whereabouts {
  /** Null for a reader who sees a public space of an organization, but not the organization. */
  readonly organization: { readonly id: string; readonly title: string } | null;
  readonly space?: { readonly id: string; readonly title: string };
  /** Only on a page of results: what was searched for. */
  readonly query?: string;
}

export interface LayoutOptions {
  /** The text of the browser's tab, without the name of the product. */
  readonly title: string;
  /** Everything between header and footer. It contains the page's only `<h1>`. */
  readonly main: Markup;
  /** Between the header and the main part, for breadcrumbs. */
  readonly above?: Markup | null;
  /** Beside the main part, and above it on a small screen: a navigation. */
  readonly side?: Markup | null;
  /** The signed-in user; without one, the header has no account menu. */
  readonly user?: { readonly displayName: string } | null;
  readonly where?: Whereabouts;
}

/** Begins the ids of this layout, which rendered content may not use: all other ids belong to the authors of pages. */
export const ID_PREFIX = 'docloom-';

/** The frame of every page: head, skip link, header with organization, search and account, main part, footer. */
export function renderLayout(options: LayoutOptions): string {
  const { user, where = { organization: null } } = options;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${options.title} · Docloom</title>
<link rel="icon" href="${favicon().href}" type="image/svg+xml">
<link rel="stylesheet" href="${stylesheet().href}">
<script type="module" src="${dashboardScript().href}"></script>
</head>
<body>
<a class="skip" href="#docloom-main">Skip to the content</a>
<header class="top">
<div class="wide">
<a class="brand" href="/">${mark}<span>Docloom</span></a>
${user ? html`${renderSwitcher(where)}${renderFind(where)}${renderAccount(user.displayName)}` : null}
</div>
</header>
${options.above}
${renderMain(options)}
<footer class="bottom"><div class="wide">Docloom keeps docs repositories and their pages in sync.</div></footer>
</body>
</html>
`.text;
}

function renderMain({ main, side = null }: LayoutOptions): Markup {
  if (side === null)
    return html`<main id="docloom-main" tabindex="-1" class="wide">
${main}
</main>`;
  return html`<div class="wide framed">
${side}
<main id="docloom-main" tabindex="-1">
${main}
</main>
</div>`;
}

/** The logo: three woven threads, in the colour of the text around it. */
const mark = html`<svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
<path class="warp" d="M6 2v20M12 2v20M18 2v20"/><path class="weft" d="M2 6h7M15 6h7M8 12h8M2 12h1M21 12h1M2 18h7M15 18h7"/></svg>`;

const lens = html`<svg class="icon" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true" focusable="false"><circle cx="10.5" cy="10.5" r="6.5"/><path d="m15.5 15.5 5 5"/></svg>`;

/** The organization, and the way to others. The script fills in their names when the menu opens. */
function renderSwitcher({ organization }: Whereabouts): Markup {
  if (organization === null) return html`<a class="switcher" href="${organizationsPath}">Organizations</a>`;
  return html`<details class="menu switcher" name="docloom-menu" data-load="${organizationsPath}?menu=1">
<summary><span class="visually-hidden">Organization: </span><span class="menu-name">${organization.title}</span></summary>
<ul class="menu-list">
<li><a href="${organizationPath(organization.id)}" aria-current="true">${organization.title}</a></li>
<li class="menu-more"><a href="${organizationsPath}">All organizations</a></li>
</ul>
</details>`;
}

/** The search of this space, or of everything; on a small screen a link to its page. */
function renderFind({ organization, space, query = '' }: Whereabouts): Markup {
  const everything = searchEverythingPath({ organizationId: organization?.id });
  const name = space === undefined ? 'Search everything' : `Search ${space.title}`;
  const palette = searchEverythingPath({ organizationId: organization?.id, spaceId: space?.id });
  return html`<form class="find" role="search" action="${space === undefined ? '/search' : searchPath(space.id)}" data-palette="${palette}">
${space === undefined && organization !== null ? html`<input type="hidden" name="organization" value="${organization.id}">` : null}
<label class="visually-hidden" for="docloom-search">${name}</label>
${lens}<input id="docloom-search" name="q" type="search" value="${query}" placeholder="${space === undefined ? 'Search' : `Search ${space.title}`}" maxlength="512" required autocomplete="off" aria-keyshortcuts="/">
<button class="palette-key" type="button" aria-keyshortcuts="Control+K" aria-haspopup="dialog" hidden><kbd>Ctrl K</kbd><span class="visually-hidden"> Find anything</span></button>
<button class="visually-hidden" type="submit">Search</button>
</form>
<a class="find-link" href="${space === undefined ? everything : searchPath(space.id)}">${lens}<span class="visually-hidden">${name}</span></a>`;
}

function renderAccount(name: string): Markup {
  return html`<nav class="account" aria-label="Account"><details class="menu account-menu" name="docloom-menu">
<summary><span class="avatar" aria-hidden="true">${initial(name)}</span><span class="who">${name}</span></summary>
<div class="menu-list">
<a href="${accountPath}">Your account</a>
<a href="/status">Status</a>
<form method="post" action="/logout"><button type="submit">Sign out</button></form>
</div>
</details></nav>`;
}

function initial(name: string): string {
  return [...name.trim()][0]?.toUpperCase() ?? '?';
}
