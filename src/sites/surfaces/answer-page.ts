import { findPageByPath, findRedirectTarget, readPageWithTargets } from '../../platform/index.ts';
import { variantsBeside } from '../content/current-variant.ts';
import { firstWithText, type IndexedPage } from '../content/page-index.ts';
import { findPagesElsewhere } from '../content/pages-elsewhere.ts';
import type { SpaceContent } from '../content/space-contents.ts';
import { type LocatedSitePath, locatePath } from '../locate-path.ts';
import { makePage } from '../make-page.ts';
import { sendFinished } from '../send-finished.ts';
import { redirect, type SiteRequest } from '../site-request.ts';
import { answerKey } from './cached-answer.ts';
import { finishPage } from './finish-page.ts';

/** A page for people, or a redirect to where it is now. */
export async function answerPage(site: SiteRequest): Promise<boolean> {
  const found = await findPage(site);
  if (found === null) return await redirectAway(site);
  const { located, page, shown } = found;
  const { path, addresses } = site;
  const { pagePath, siteSpace } = located;
  // The home page of a space whose first page has another path is shown at both.
  const isHome = pagePath === '' && page === shown;
  const address = addresses.below(siteSpace.path, isHome ? '' : shown.row.path);
  const isWritten = address === addresses.below(path) && address.endsWith('/') === site.endsWithSlash;
  if (!isWritten) return redirect(site, address);
  return await sendPage(site, { ...found, page: shown });
}

interface FoundPage {
  readonly located: LocatedSitePath;
  readonly content: SpaceContent;
  /** The page that has the path, and the first one at it or below it that has a text. */
  readonly page: IndexedPage;
  readonly shown: IndexedPage;
}

/** The page at the path of a request; else one that was there before it moved, or to which the repository redirects it. */
async function findPage({ structure, path, contents, platform }: SiteRequest): Promise<FoundPage | null> {
  const places: { readonly located: LocatedSitePath; readonly content: SpaceContent }[] = [];
  for (const located of locatePath(structure, path)) {
    const content = await contents.load(located.siteSpace.row.space);
    if (content === null) continue;
    const page = pageAt(content, located.pagePath);
    const shown = page && firstWithText(page);
    if (shown !== null) return { located, content, page: page ?? shown, shown };
    places.push({ located, content });
  }
  for (const { located, content } of places) {
    const id = await findPageByPath(platform.db, content, located.pagePath);
    const page = id === null ? undefined : content.pages.byId.get(id);
    const shown = page === undefined ? null : firstWithText(page);
    if (shown !== null) return { located, content, page: page ?? shown, shown };
  }
  return null;
}

function pageAt({ pages }: SpaceContent, path: string): IndexedPage | null {
  return pages.byPath.get(path) ?? (path === '' ? pages.readingOrder[0] : undefined) ?? null;
}

/** A redirect of the site, as far as it leads somewhere else that this visitor sees. */
async function redirectAway(site: SiteRequest): Promise<boolean> {
  const { platform, served, structure, path, addresses } = site;
  const target = await findRedirectTarget(platform.db, served.site.id, structure, path);
  return target === null || target === path ? false : redirect(site, addresses.below(target));
}

async function sendPage(
  site: SiteRequest,
  shown: { readonly located: LocatedSitePath; readonly content: SpaceContent; readonly page: IndexedPage },
): Promise<boolean> {
  const { structure, contents, platform } = site;
  const { located, content, page } = shown;
  const key = answerKey(site, ['page', located.siteSpace.row.id, page.row.id]);
  const answer = await site.answers.load(key, async () => {
    const published = await readPageWithTargets(platform, content, page.row);
    if (published === null) throw new Error(`The text of page ${page.row.id} is not stored.`);
    const variants = await Promise.all(
      variantsBeside(structure, located).map(async (siteSpace) => ({
        location: { section: located.section, siteSpace },
        content: await contents.load(siteSpace.row.space),
      })),
    );
    const elsewhere = await findPagesElsewhere(site, { location: located, content }, published.targets);
    const input = { ...site, location: located, content, page, published, variants, elsewhere };
    return await finishPage(await makePage(input));
  });
  return sendFinished(site, answer);
}
