import { html } from '../../markup/index.ts';
import { recordQuestion } from '../../platform/index.ts';
import { insertFeedback, newId } from '../../store/index.ts';
import { chosenLook } from '../choose-look.ts';
import { hasText, type IndexedPage } from '../content/page-index.ts';
import { locationsOf, type VariantLocation } from '../locate-path.ts';
import type { SiteRequest } from '../site-request.ts';
import { renderPlainPage } from '../views/render-plain-page.ts';
import { preferredLanguage, type Words, wordsFor } from '../views/words/index.ts';

/** Where the form at the end of pages is sent. */
export const FEEDBACK_PATH = '~/feedback';

/** In characters; more is no comment. */
const MAX_COMMENT = 2_000;

interface FeedbackPage {
  readonly location: VariantLocation;
  readonly page: IndexedPage;
}

/** Stores what a reader says of a page that they may read, and thanks them. */
export async function answerFeedback(site: SiteRequest): Promise<boolean> {
  const { request, reply, served, platform, feedback, addresses } = site;
  // Feedback is about what is live.
  if (served.preview !== null) return false;
  if (request.method !== 'POST' || typeof request.body !== 'string') return false;
  const form = new URLSearchParams(request.body);
  const helpful = form.get('helpful');
  const found = await findPage(site, form.get('space') ?? '', form.get('page') ?? '');
  if (found === null || (helpful !== 'yes' && helpful !== 'no')) return false;
  const { location, page } = found;
  const { row } = page;
  const path = [location.siteSpace.path, row.path].filter((part) => part !== '').join('/');
  const comment = (form.get('comment') ?? '')
    .replaceAll('\0', '')
    .trim()
    .slice(0, MAX_COMMENT)
    .toWellFormed();
  const said = {
    id: newId(),
    siteId: served.site.id,
    spaceId: location.siteSpace.row.space.id,
    pageId: row.id,
    path,
    title: row.title,
    helpful: helpful === 'yes',
    comment: comment === '' ? null : comment,
  };
  const isStored =
    (await feedback.take(request.ip)) &&
    (await platform.db.transaction(async (tx) => {
      if (!(await insertFeedback(tx, said))) return false;
      if (said.helpful) return true;
      await recordQuestion(tx, platform.queue, {
        organizationId: served.site.organizationId,
        place: { kind: 'site', id: said.siteId },
        kind: 'feedback',
        id: said.id,
        subject: said.title,
        body: comment === '' ? said.title : comment,
        url: addresses.canonical(path),
      });
      return true;
    }));
  if (!isStored) reply.code(429).header('retry-after', String(feedback.retryAfter));
  return showThanks(site, path, (words) => (isStored ? words.feedbackThanks : words.feedbackBusy));
}

async function findPage(
  { structure, contents, served }: SiteRequest,
  siteSpaceId: string,
  pageId: string,
): Promise<FeedbackPage | null> {
  const location = locationsOf(structure).find(({ siteSpace }) => siteSpace.row.id === siteSpaceId);
  if (location === undefined || !chosenLook({ served, location }).feedback.enabled) return null;
  const content = await contents.load(location.siteSpace.row.space);
  const page = content?.pages.byId.get(pageId);
  return page === undefined || !hasText(page.row) ? null : { location, page };
}

function showThanks(
  { request, reply, addresses }: SiteRequest,
  path: string,
  said: (words: Words) => string,
): boolean {
  const language = preferredLanguage(request.headers['accept-language'] ?? '');
  const words = wordsFor(language);
  const page = renderPlainPage({
    language,
    assetsHref: `${addresses.below('~', 'assets')}/`,
    title: said(words),
    body: html`<p><a href="${addresses.below(path)}">${words.backToPage}</a></p>`,
    canonical: null,
  });
  reply.header('cache-control', 'private, no-store').type('text/html; charset=utf-8').send(page);
  return true;
}
