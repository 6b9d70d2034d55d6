import {
  type Db,
  loadSiteStructure,
  lockSite,
  lockSpacesForSite,
  recordAudit,
  type SiteRow,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { notFound } from '../api/api-error.ts';
import { type ArrangedStructure, arrangeStructure } from './arrange-structure.ts';
import { requireFreeAddresses } from './site-addresses.ts';

/** A site that is locked, with its structure before the change. */
export interface LockedSite {
  readonly tx: Db;
  readonly site: SiteRow;
  readonly structure: ArrangedStructure;
  /** Of the spaces that the change is about, those that are there. */
  readonly spaceIds: ReadonlySet<string>;
}

/**
 * Changes a site or its structure in one transaction, in which nobody else changes it.
 *
 * @param spaceIds the spaces that it will show.
 */
export async function withSiteLocked<Result>(
  db: Db,
  { organizationId, id }: Pick<SiteRow, 'organizationId' | 'id'>,
  change: (locked: LockedSite) => Promise<Result>,
  spaceIds: readonly string[] = [],
): Promise<Result> {
  return await db.transaction(async (tx) => {
    const found = await lockSpacesForSite(tx, spaceIds);
    const site = await lockSite(tx, organizationId, id);
    if (site === null) throw notFound('site with this id in this organization');
    const structure = arrangeStructure(site, await loadSiteStructure(tx, site.id));
    return await change({ tx, site, structure, spaceIds: found });
  });
}

/** Throws a 409 if a change has given two things of the site one address. */
export async function requireNoCollision({ tx, site, structure }: LockedSite): Promise<void> {
  const changed = await lockSite(tx, site.organizationId, site.id);
  if (changed === null) return;
  const after = arrangeStructure(changed, await loadSiteStructure(tx, site.id));
  await requireFreeAddresses(tx, structure, after);
}

/** Records what was done with a site, or with a part of it. Call it in the transaction of the change. */
export async function recordSite(
  tx: Db,
  caller: Caller,
  action: `site.${string}`,
  site: Pick<SiteRow, 'id' | 'organizationId' | 'title'>,
  diff: {
    readonly before?: Readonly<Record<string, unknown>>;
    readonly after?: Readonly<Record<string, unknown>>;
  } = {},
): Promise<void> {
  await recordAudit(tx, {
    organizationId: site.organizationId,
    action,
    actor: caller.actor,
    target: { kind: 'site', id: site.id, name: site.title },
    ...diff,
  });
}
