import { type SiteRow, updateSite } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { type LockedSite, recordSite } from './change-site.ts';

/** Publishes a site, or takes it back (null); one that is so already stays as it is. */
export async function changePublication(
  { tx, site }: Pick<LockedSite, 'tx' | 'site'>,
  caller: Caller,
  publishedAt: Date | null,
): Promise<SiteRow> {
  if ((site.publishedAt === null) === (publishedAt === null)) return site;
  const changed = (await updateSite(tx, site.id, { publishedAt })) as SiteRow;
  const action = publishedAt === null ? 'site.unpublish' : 'site.publish';
  await recordSite(tx, caller, action, changed, { after: { visibility: changed.visibility } });
  return changed;
}
