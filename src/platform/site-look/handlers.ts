import type { SiteCustomization } from '../../contract/index.ts';
import { loadSiteStructure, type SiteRow, updateSite, updateSiteSpace } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { requireSite, type SiteParams } from '../access/require-site.ts';
import { notFound } from '../api/api-error.ts';
import type { HandlersOf } from '../api/handler.ts';
import type { PlatformDeps } from '../deps.ts';
import {
  type ArrangedSiteSpace,
  type ArrangedStructure,
  arrangeStructure,
} from '../sites/arrange-structure.ts';
import { recordSite, withSiteLocked } from '../sites/change-site.ts';
import { changeChoice, checkLook, composeLook } from '../sites/look.ts';

type Fields = Readonly<Record<string, unknown>>;

export function siteLookHandlers({ db }: PlatformDeps): HandlersOf<'site-look'> {
  function findIn(structure: ArrangedStructure, id: string): ArrangedSiteSpace | null {
    const all = [...structure.siteSpaces, ...structure.sections.flatMap(({ siteSpaces }) => siteSpaces)];
    return all.find(({ row }) => row.id === id) ?? null;
  }

  function requireIn(structure: ArrangedStructure, id: string): ArrangedSiteSpace {
    const found = findIn(structure, id);
    if (found === null) throw notFound('site-space with this id in this site');
    return found;
  }

  async function changeSpace(
    caller: Caller,
    params: SiteParams & { readonly siteSpaceId: string },
    choose: (chosen: unknown) => Fields | null,
  ): Promise<SiteCustomization> {
    const located = await requireSite(db, caller, params, 'edit');
    return await withSiteLocked(db, located.site, async ({ tx, site, structure }) => {
      const { row } = requireIn(structure, params.siteSpaceId);
      const customization = choose(row.customization);
      await updateSiteSpace(tx, row.id, { customization });
      const after = { siteSpace: row.id, customization };
      const before = { siteSpace: row.id, customization: row.customization };
      await recordSite(tx, caller, 'site.update-look', site, { before, after });
      return composeLook(site.customization, customization);
    });
  }

  return {
    async getSiteCustomization({ caller, params }) {
      const { site } = await requireSite(db, caller, params, 'access');
      return composeLook(site.customization);
    },

    async updateSiteCustomization({ caller, params, body }) {
      checkLook(body, '/body');
      const located = await requireSite(db, caller, params, 'edit');
      return await withSiteLocked(db, located.site, async ({ tx, site }) => {
        const customization = changeChoice(null, body);
        const row = (await updateSite(tx, site.id, { customization })) as SiteRow;
        await recordSite(tx, caller, 'site.update-look', site, {
          before: { customization: site.customization },
          after: { customization },
        });
        return composeLook(row.customization);
      });
    },

    async getSiteSpaceCustomization({ caller, params }) {
      const { site } = await requireSite(db, caller, params, 'access');
      const structure = arrangeStructure(site, await loadSiteStructure(db, site.id));
      return composeLook(site.customization, requireIn(structure, params.siteSpaceId).row.customization);
    },

    async updateSiteSpaceCustomization({ caller, params, body }) {
      checkLook(body, '/body');
      return await changeSpace(caller, params, (chosen) => changeChoice(chosen, body));
    },

    async deleteSiteSpaceCustomization({ caller, params }) {
      const located = await requireSite(db, caller, params, 'edit');
      await withSiteLocked(db, located.site, async ({ tx, site, structure }) => {
        const found = findIn(structure, params.siteSpaceId);
        if (found === null || found.row.customization === null) return;
        await updateSiteSpace(tx, found.row.id, { customization: null });
        const before = { siteSpace: found.row.id, customization: found.row.customization };
        await recordSite(tx, caller, 'site.update-look', site, { before });
      });
    },
  };
}
