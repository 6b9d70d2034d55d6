import type { Site } from '../../contract/index.ts';
import {
  type AddressedSite,
  countSiteSpaces,
  deleteSite,
  listSites,
  lockOrganization,
  type SiteRow,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { loadAccessMap } from '../access/load-access-map.ts';
import { requireOrganization } from '../access/require-organization.ts';
import { requireNeeded, requireRole } from '../access/require-role.ts';
import { findVisibleSite, type LocatedSite, requireSite, type SiteParams } from '../access/require-site.ts';
import { type EffectiveRole, siteRights } from '../access/roles.ts';
import { ageKeyOf, readAgeCursor } from '../api/age-cursor.ts';
import { limitOf, toList } from '../api/cursor.ts';
import type { HandlersOf } from '../api/handler.ts';
import type { PlatformDeps } from '../deps.ts';
import { presentStructure } from '../site-structure/present-structure.ts';
import { changePublication } from './change-publication.ts';
import { recordSite, withSiteLocked } from './change-site.ts';
import { createSite } from './create-site.ts';
import { declareSite } from './declare-site.ts';
import { composeLook } from './look.ts';
import { presentSite, siteLocationOf } from './present-site.ts';
import { requireShowable } from './require-showable.ts';
import { siteAddress } from './site-address.ts';
import { changeSite } from './update-site.ts';

export function siteHandlers(deps: PlatformDeps): HandlersOf<'sites'> {
  const { db } = deps;

  async function viewSite(addressed: AddressedSite, effectiveRole: EffectiveRole): Promise<Site> {
    const counts = await countSiteSpaces(db, [addressed.site.id]);
    const siteSpaces = counts.get(addressed.site.id) ?? 0;
    return presentSite(deps, addressed, { effectiveRole, siteSpaces });
  }

  /** The site after a change, at an address that may be another one. */
  async function review(located: LocatedSite, site: SiteRow): Promise<Site> {
    return await viewSite({ ...located, site }, located.effectiveRole);
  }

  async function setPublished(caller: Caller, params: SiteParams, publishedAt: Date | null): Promise<Site> {
    const located = await requireSite(db, caller, params, 'admin');
    const row = await withSiteLocked(db, located.site, (locked) =>
      changePublication(locked, caller, publishedAt),
    );
    return await review(located, row);
  }

  return {
    async listSites({ caller, params, query }) {
      const { organization } = await requireOrganization(db, caller, params.organizationId, 'view');
      const limit = limitOf(query);
      const accessMap = await loadAccessMap(db, organization.id, caller.membershipIn(organization.id));
      const found = await listSites(db, organization.id, {
        ids: accessMap.visibleSites(),
        spaceId: query.space,
        title: query.title,
        isPublished: query.published,
        types: query.type,
        after: readAgeCursor('sites', query),
        limit: limit + 1,
      });
      const counts = await countSiteSpaces(
        db,
        found.rows.map(({ id }) => id),
      );
      return toList(found, {
        list: 'sites',
        limit,
        keyOf: ageKeyOf,
        present: (site) =>
          presentSite(
            deps,
            { site, organizationHostname: organization.hostname },
            { effectiveRole: accessMap.roleInSite(site), siteSpaces: counts.get(site.id) ?? 0 },
          ),
      });
    },

    async createSite({ caller, params, body }) {
      const { organizationId } = params;
      const { organization } = await requireOrganization(db, caller, organizationId, 'createContent');
      const { spaces = [], title, visibility, type = 'basic' } = body;
      for (const [at, spaceId] of spaces.entries())
        await requireShowable(db, caller, organization.id, { spaceId, field: `/body/spaces/${at}` });
      const site = { organizationId: organization.id, title, visibility, type };
      const row = await createSite(deps, caller, site, spaces);
      const located = await requireSite(db, caller, { organizationId, siteId: row.id }, 'access');
      return await viewSite(located, located.effectiveRole);
    },

    async declareSite({ caller, params, body }) {
      const { organizationId } = params;
      const { organization } = await requireOrganization(db, caller, organizationId, 'createContent');
      const wanted = body.sections.flatMap(({ spaces }, at) =>
        spaces.map((spaceId, nth) => ({ spaceId, field: `/body/sections/${at}/spaces/${nth}` })),
      );
      for (const each of wanted) await requireShowable(db, caller, organization.id, each);
      const { id: siteId } = await declareSite(deps, caller, organization.id, body);
      const located = await requireSite(db, caller, { organizationId, siteId }, 'access');
      return {
        object: 'declared-site',
        site: await viewSite(located, located.effectiveRole),
        address: siteAddress(deps, siteLocationOf(located)),
      };
    },

    async getSite({ caller, params }) {
      const located = await requireSite(db, caller, params, 'access');
      return await viewSite(located, located.effectiveRole);
    },

    async updateSite({ caller, params, body }) {
      const located = await requireSite(db, caller, params, 'edit');
      // Who its readers are, and where they find it.
      if (body.visibility !== undefined || body.proxy !== undefined || body.hostname !== undefined)
        requireRole(located.effectiveRole, siteRights.admin, 'site');
      return await review(located, await changeSite(deps, caller, located.site, body));
    },

    async deleteSite({ caller, params }) {
      await requireOrganization(db, caller, params.organizationId, 'view');
      const found = await findVisibleSite(db, caller, params);
      if (found === null) return;
      requireNeeded(found.access, siteRights.admin, 'site');
      await db.transaction(async (tx) => {
        await lockOrganization(tx, found.site.organizationId);
        const deleted = await deleteSite(tx, found.site.id);
        if (deleted !== null) await recordSite(tx, caller, 'site.delete', deleted);
      });
    },

    publishSite: async ({ caller, params }) => await setPublished(caller, params, new Date()),
    unpublishSite: async ({ caller, params }) => await setPublished(caller, params, null),

    async getPublishedSite({ caller, params, query }) {
      const located = await requireSite(db, caller, params, 'view', query.shareKey);
      const view = await presentStructure(deps, caller, located);
      const { site } = located;
      const differing = view.siteSpaces.filter(({ row }) => row.customization !== null);
      return {
        object: 'published-content-site',
        site: await viewSite(located, located.effectiveRole),
        structure: view.whole(),
        customizations: {
          site: composeLook(site.customization),
          siteSpaces: Object.fromEntries(
            differing.map(({ row }) => [row.id, composeLook(site.customization, row.customization)]),
          ),
        },
        scripts: [],
      };
    },
  };
}
