import { toFragment } from '../../content/render/index.ts';
import { readPageWithTargets } from '../../platform/index.ts';
import { variantsBeside } from '../content/current-variant.ts';
import { findPage } from '../content/find-page.ts';
import type { IndexedPage } from '../content/page-index.ts';
import { findPagesElsewhere } from '../content/pages-elsewhere.ts';
import { findRedirect } from '../content/site-redirects.ts';
import type { SpaceContent } from '../content/space-contents.ts';
import { textSourceOf, type UntranslatedPage } from '../content/untranslated-pages.ts';
import type { LocatedSitePath } from '../locate-path.ts';
import { makePage } from '../make-page.ts';
import { sendFinished } from '../send-finished.ts';
import { readPublished, redirect, type SiteRequest } from '../site-request.ts';
import { pageAnswerKey } from './cached-answer.ts';
import { finishPage } from './finish-page.ts';

/** A page for people, or a redirect to where it is now. */
export async function answerPage(site: SiteRequest): Promise<boolean> {
  const found = await findPage(site, site.path);
  if (found === null) return await redirectAway(site);
  if (typeof found === 'string') return redirect(site, found, 'repository redirect');
  // Nothing is at this address itself, so what was chosen for it goes before the original in another language.
  if (found.untranslated?.source != null && (await redirectAway(site))) return true;
  const { located, page, shown, anchor, untranslated } = found;
  const { path, addresses } = site;
  const { pagePath, siteSpace } = located;
  // The home page of a space whose first page has another path is shown at both.
  const isHome = pagePath === '' && page === shown;
  const shownPath = untranslated?.path ?? shown.row.path;
  const address = addresses.below(siteSpace.path, isHome ? '' : shownPath);
  const isWritten = address === addresses.below(path) && address.endsWith('/') === site.endsWithSlash;
  if (!isWritten)
    return redirect(site, anchor === null ? address : address + toFragment(anchor), found.foundBy);
  return await sendPage(site, { ...found, page: shown });
}

/** A redirect of the site, as far as it leads somewhere else that this visitor sees. */
async function redirectAway(site: SiteRequest): Promise<boolean> {
  const found = await findRedirect(site);
  if (found === null || found.target === site.path) return false;
  return redirect(site, site.addresses.below(found.target), `site redirect ${found.source}`);
}

async function sendPage(
  site: SiteRequest,
  shown: {
    readonly located: LocatedSitePath;
    readonly content: SpaceContent;
    readonly page: IndexedPage;
    readonly untranslated: UntranslatedPage | null;
  },
): Promise<boolean> {
  const { structure, contents, claims } = site;
  const { located, content, page, untranslated } = shown;
  const key = await pageAnswerKey(site, 'page', located.siteSpace.row.id, shown);
  const source = textSourceOf({ location: located, content, untranslated });
  const answer = await site.answers.load(key, async () => {
    const published = await readPublished(site, (from) =>
      readPageWithTargets(from, source.content, { page: page.row, claims }),
    );
    if (published === null) throw new Error(`The text of page ${page.row.id} is not stored.`);
    const variants = await Promise.all(
      variantsBeside(structure, located).map(async (siteSpace) => ({
        location: { section: located.section, siteSpace },
        content: await contents.load(siteSpace.row.space),
      })),
    );
    const elsewhere = await findPagesElsewhere(site, source, published.targets);
    const input = {
      ...site,
      location: located,
      content,
      page,
      untranslated,
      published,
      variants,
      elsewhere,
    };
    return await finishPage(await makePage(input));
  });
  return sendFinished(site, answer);
}
