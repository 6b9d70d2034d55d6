import { html, type Markup } from '../../markup/index.ts';
import { similarPages } from '../content/similar-pages.ts';
import { languageAt } from '../content/untranslated-pages.ts';
import { locatePath } from '../locate-path.ts';
import { makeFrame } from '../make-frame.ts';
import { encodingFor, sendFinished } from '../send-finished.ts';
import type { SiteRequest } from '../site-request.ts';
import { ownPage } from '../views/own-page.ts';
import type { ShownPage, SitePageLink } from '../views/site-page.ts';
import { type Words, wordsFor } from '../views/words/index.ts';
import { finishPage } from './finish-page.ts';

/** In characters; longer ones are no mistyped addresses. */
const MAX_PATH = 300;

/** What people see at an address of the site without a page: pages that they may have meant, and a search. */
export async function answerMissingPage(site: SiteRequest): Promise<boolean> {
  const { request, structure, path, addresses, contents } = site;
  const isForPeople = request.headers.accept?.includes('text/html') === true;
  if (!isForPeople || path.startsWith('~/') || path.length > MAX_PATH) return false;
  const [location] = locatePath(structure, path);
  const content = location === undefined ? null : await contents.load(location.siteSpace.row.space);
  if (location === undefined || content === null) return false;
  const language = languageAt(content, location.pagePath);
  const frame = makeFrame({ ...site, location, content, page: null, language, variants: [] });
  const similar = similarPages(content.pages, location.pagePath).map(({ row }) => ({
    title: row.title,
    href: addresses.below(location.siteSpace.path, row.path),
  }));
  const page = missingPage(
    similar,
    { home: addresses.below(), search: frame.searchHref, from: frame.searchFrom },
    wordsFor(frame.language),
  );
  const answer = await finishPage({ frame, page }, { status: 404, onceIn: encodingFor(request.headers) });
  return sendFinished(site, answer, 'private, no-store');
}

function missingPage(
  similar: readonly SitePageLink[],
  { home, search, from }: { readonly home: string; readonly search: string; readonly from: string },
  words: Words,
): ShownPage {
  return ownPage({
    title: words.notFound,
    description: words.notFoundText,
    body: html`<form class="search-page" role="search" aria-label="${words.pages}" action="${search}"><input type="search" name="q" aria-label="${words.search}"> <button type="submit">${words.search}</button><input type="hidden" name="from" value="${from}"></form>
${similar.length === 0 ? null : html`<h2>${words.similarPages}</h2>\n${list(similar)}`}
<p><a href="${home}">${words.home}</a></p>`,
    canonical: home,
  });
}

function list(links: readonly SitePageLink[]): Markup {
  return html`<ul>${links.map(({ title, href }) => html`<li><a href="${href}">${title}</a></li>`)}</ul>`;
}
