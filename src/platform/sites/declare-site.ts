import { isDeepStrictEqual } from 'node:util';
import type { SiteDeclaration } from '../../contract/index.ts';
import { findDeclaredSite, lockOrganization, type SiteRow, updateSite } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { requireRole } from '../access/require-role.ts';
import { requireSite } from '../access/require-site.ts';
import { siteRights } from '../access/roles.ts';
import { notFound } from '../api/api-error.ts';
import type { PlatformDeps } from '../deps.ts';
import { declareStructure } from '../site-structure/declare-structure.ts';
import { changePublication } from './change-publication.ts';
import { recordSite, requireNoCollision, withSiteLocked } from './change-site.ts';
import { createSite } from './create-site.ts';
import { changeChoice, checkLook } from './look.ts';
import { changeSite } from './update-site.ts';

/**
 * Makes the site of a source as the source declares it, all of it or nothing; without the first call, creates it. Changes
 * only what differs.
 */
export async function declareSite(
  deps: Pick<PlatformDeps, 'db' | 'publicUrl' | 'sitesUrl'>,
  caller: Caller,
  organizationId: string,
  { source, sections, customization = {}, ...wanted }: SiteDeclaration,
): Promise<SiteRow> {
  checkLook(customization, '/body/customization');
  const spaceIds = sections.flatMap(({ spaces }) => spaces);
  return await deps.db.transaction(async (tx) => {
    // Another declaration of the same source waits here.
    if (!(await lockOrganization(tx, organizationId))) throw notFound('organization with this id');
    const known = (await findDeclaredSite(tx, organizationId, source))?.site ?? null;
    const { title } = wanted;
    const visibility = visibilityOf(wanted) ?? 'public';
    const site =
      known ??
      (await createSite(
        { db: tx },
        caller,
        { organizationId, title, type: 'basic', visibility, declaredBy: source },
        [],
      ));
    const { effectiveRole } = await requireSite(tx, caller, { organizationId, siteId: site.id }, 'edit');
    const { changes, isPublished } = differences(site, wanted);
    if (changes.visibility !== undefined || isPublished !== (site.publishedAt !== null))
      requireRole(effectiveRole, siteRights.admin, 'site');
    if (Object.keys(changes).length > 0) await changeSite({ ...deps, db: tx }, caller, site, changes);
    return await withSiteLocked(
      tx,
      site,
      async (locked) => {
        const after = await declareStructure(locked, source, sections);
        await requireNoCollision(locked);
        if (!isDeepStrictEqual(locked.structure, after.structure))
          await recordSite(tx, caller, 'site.declare', after.site, { after: { source, spaces: spaceIds } });
        await changeLook(after.site);
        return await changePublication(after, caller, isPublished ? new Date() : null);
      },
      spaceIds,
    );

    async function changeLook(row: SiteRow): Promise<void> {
      const look = changeChoice(row.customization, customization);
      if (isDeepStrictEqual(look, row.customization)) return;
      await updateSite(tx, row.id, { customization: look });
      const before = { customization: row.customization };
      await recordSite(tx, caller, 'site.update-look', row, { before, after: { customization: look } });
    }
  });
}

type Named = Pick<SiteDeclaration, 'title' | 'basename' | 'audience'>;

function visibilityOf({ audience }: Named) {
  return audience === undefined || audience === 'members' ? undefined : audience;
}

/** What of the site's own fields differs from what is named. */
function differences(site: SiteRow, wanted: Named) {
  const { title, basename, audience } = wanted;
  const visibility = visibilityOf(wanted);
  return {
    changes: {
      ...(title === site.title ? {} : { title }),
      ...(basename === undefined || basename === site.basename ? {} : { basename }),
      ...(visibility === undefined || visibility === site.visibility ? {} : { visibility }),
    },
    isPublished: audience === undefined ? site.publishedAt !== null : audience !== 'members',
  };
}
