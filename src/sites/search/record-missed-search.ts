import { isRecordable, recordMissedQuery } from '../../platform/index.ts';
import type { SiteRequest } from '../site-request.ts';

/**
 * Stores what somebody searched for and did not find, as a conversation. What a browser sends while somebody types is no such
 * query. A failure changes nothing for the reader.
 */
export async function recordMissedSearch(site: SiteRequest, query: string): Promise<void> {
  const { served, platform, missedSearches, request, addresses } = site;
  if (served.preview !== null || !isRecordable(query)) return;
  if (!(await missedSearches.take(request.ip))) return;
  await recordMissedQuery(platform, {
    organizationId: served.site.organizationId,
    place: { kind: 'site', id: served.site.id },
    kind: 'search',
    query,
    url: addresses.canonical('~', 'search'),
  });
}
