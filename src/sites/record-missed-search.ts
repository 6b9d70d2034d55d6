import { recordQuestion } from '../platform/index.ts';
import type { SiteRequest } from './site-request.ts';

/** Shorter words are tried, not asked. */
const MIN_LETTERS = 4;

/**
 * Stores what somebody searched for and did not find, as a conversation: once for each query on a day. What a browser sends
 * while somebody types is no such query. A failure changes nothing for the reader.
 */
export async function recordMissedSearch(site: SiteRequest, query: string): Promise<void> {
  const { served, platform, missedSearches, request, addresses } = site;
  const normalized = query.normalize('NFKC').toLocaleLowerCase('en').replace(/\s+/g, ' ').trim();
  const letters = normalized.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  if (served.preview !== null || letters < MIN_LETTERS || !missedSearches.take(request.ip)) return;
  const day = new Date().toISOString().slice(0, 10);
  const question = {
    organizationId: served.site.organizationId,
    siteId: served.site.id,
    kind: 'search',
    id: `${day} ${normalized}`,
    subject: query,
    body: query,
    url: addresses.canonical('~', 'search'),
  } as const;
  await platform.db
    .transaction(async (tx) => await recordQuestion(tx, platform.queue, question))
    .catch((error: unknown) => platform.log.warn({ err: error }, 'A search without results was not stored.'));
}
