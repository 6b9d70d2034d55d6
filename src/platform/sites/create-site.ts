import {
  type Db,
  insertSite,
  listBasenames,
  loadSite,
  lockHostname,
  lockOrganization,
  newId,
  type SiteRow,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { ApiError, notFound } from '../api/api-error.ts';
import { addSpaceAt } from '../site-structure/change-structure.ts';
import { recordSite, withSiteLocked } from './change-site.ts';
import { freePath, sitePathFrom } from './choose-path.ts';

/** The most sites of an organization. */
const MAX_SITES = 1_000;

/** Creates a site with these spaces at its root, of which the first is the default. */
export async function createSite(
  { db }: { readonly db: Db },
  caller: Caller,
  site: Pick<SiteRow, 'organizationId' | 'title' | 'type' | 'visibility'> & { readonly declaredBy?: string },
  spaceIds: readonly string[],
): Promise<SiteRow> {
  const { organizationId } = site;
  return await db.transaction(async (tx) => {
    if (!(await lockOrganization(tx, organizationId))) throw notFound('organization with this id');
    // Who changes a basename waits, too.
    await lockHostname(tx, `sites of ${organizationId}`);
    const basenames = await listBasenames(tx, organizationId, '');
    if (basenames.length >= MAX_SITES)
      throw new ApiError('limit-reached', `An organization has at most ${MAX_SITES} sites.`);
    const basename = freePath(sitePathFrom(site.title, 'site'), basenames);
    const row = await insertSite(tx, { id: newId(), ...site, basename });
    for (const spaceId of new Set(spaceIds))
      await withSiteLocked(tx, row, (locked) => addSpaceAt(locked, spaceId, null), [spaceId]);
    await recordSite(tx, caller, 'site.create', row, {
      after: { visibility: row.visibility, spaces: spaceIds },
    });
    return (await loadSite(tx, organizationId, row.id)) as SiteRow;
  });
}
