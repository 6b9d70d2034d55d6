import type { RedirectDestination } from '../../contract/index.ts';
import {
  deleteRedirect,
  findRedirects,
  insertRedirect,
  listRedirects,
  loadSiteStructure,
  newId,
  type RedirectTargets,
  type SiteRow,
  updateRedirect,
} from '../../store/index.ts';
import { requireSite } from '../access/require-site.ts';
import { allows, siteRights } from '../access/roles.ts';
import { ageKeyOf, readAgeCursor } from '../api/age-cursor.ts';
import { ApiError, invalid, notFound } from '../api/api-error.ts';
import { limitOf, toList } from '../api/cursor.ts';
import type { HandlersOf } from '../api/handler.ts';
import type { PlatformDeps } from '../deps.ts';
import { arrangeStructure } from '../sites/arrange-structure.ts';
import { type LockedSite, recordSite, withSiteLocked } from '../sites/change-site.ts';
import { hideConditional, isTrueFor, NOTHING_KNOWN } from '../sites/conditions.ts';
import { siteLocationOf } from '../sites/present-site.ts';
import { addressBelow, siteAddress } from '../sites/site-address.ts';
import { presentRedirect } from './present-redirect.ts';
import { pathOfDestination, redirectSourcesOf } from './resolve-redirect.ts';

/** The most redirects of a site. */
const MAX_REDIRECTS = 10_000;

export function siteRedirectHandlers(deps: PlatformDeps): HandlersOf<'site-redirects'> {
  const { db } = deps;

  async function targetsOf(site: SiteRow): Promise<RedirectTargets> {
    const { sections, siteSpaces } = arrangeStructure(site, await loadSiteStructure(db, site.id));
    const shown = [...siteSpaces, ...sections.flatMap((section) => section.siteSpaces)];
    return {
      sectionIds: sections.map(({ row }) => row.id),
      siteSpaces: shown.map(({ row: { id, space } }) => ({
        id,
        historyId: space.historyId,
        version: space.version,
      })),
    };
  }

  return {
    async listRedirects({ caller, params, query }) {
      const { site } = await requireSite(db, caller, params, 'access');
      const limit = limitOf(query);
      const list = `redirects of ${site.id}`;
      const found = await listRedirects(db, site.id, {
        search: query.search ?? '',
        dead: query.dead === undefined ? null : { isDead: query.dead, targets: await targetsOf(site) },
        after: readAgeCursor(list, query),
        limit: limit + 1,
      });
      return toList(found, { list, limit, keyOf: ageKeyOf, present: presentRedirect });
    },

    async createRedirect({ caller, params, body }) {
      const located = await requireSite(db, caller, params, 'edit');
      const row = await withSiteLocked(db, located.site, async (locked) => {
        const { tx, site } = locked;
        const { count } = await listRedirects(tx, site.id, { search: '', dead: null, after: null, limit: 1 });
        if (count >= MAX_REDIRECTS)
          throw new ApiError('limit-reached', `A site has at most ${MAX_REDIRECTS} redirects.`);
        await requireFreeSource(locked, body.source, null);
        await requireDestination(locked, body.source, body.destination);
        const made = await insertRedirect(tx, { id: newId(), siteId: site.id, ...body });
        await recordSite(tx, caller, 'site.add-redirect', site, { after: { redirect: made.id, ...body } });
        return made;
      });
      return presentRedirect(row);
    },

    async updateRedirect({ caller, params, body }) {
      const located = await requireSite(db, caller, params, 'edit');
      const { siteRedirectId: id } = params;
      const row = await withSiteLocked(db, located.site, async (locked) => {
        const { tx, site } = locked;
        if (body.source !== undefined) await requireFreeSource(locked, body.source, id);
        const changed = await updateRedirect(tx, site.id, id, body);
        if (changed === null) throw notFound('redirect with this id in this site');
        await requireDestination(locked, changed.source, changed.destination as RedirectDestination);
        await recordSite(tx, caller, 'site.update-redirect', site, { after: { redirect: id, ...body } });
        return changed;
      });
      return presentRedirect(row);
    },

    async deleteRedirect({ caller, params }) {
      const located = await requireSite(db, caller, params, 'edit');
      await withSiteLocked(db, located.site, async ({ tx, site }) => {
        const deleted = await deleteRedirect(tx, site.id, params.siteRedirectId);
        const before = { redirect: deleted?.id, source: deleted?.source };
        if (deleted !== null) await recordSite(tx, caller, 'site.remove-redirect', site, { before });
      });
    },

    async getRedirectBySource({ caller, params, query }) {
      const located = await requireSite(db, caller, params, 'view', query.shareKey);
      const { site, effectiveRole } = located;
      const sources = redirectSourcesOf(query.source);
      const rows = await findRedirects(db, site.id, sources);
      const row = rows.toSorted((a, b) => sources.indexOf(a.source) - sources.indexOf(b.source))[0];
      const all = arrangeStructure(site, await loadSiteStructure(db, site.id));
      const structure = allows(effectiveRole, siteRights.access)
        ? all
        : hideConditional(all, (condition) => isTrueFor(condition, NOTHING_KNOWN));
      const path =
        row === undefined
          ? null
          : await pathOfDestination(db, structure, row.destination as RedirectDestination);
      if (row === undefined || path === null) throw notFound('redirect of this address');
      const target = addressBelow(siteAddress(deps, siteLocationOf(located)), path);
      return { redirect: presentRedirect(row), target };
    },
  };
}

async function requireFreeSource({ tx, site }: LockedSite, source: string, id: string | null): Promise<void> {
  const [other] = await findRedirects(tx, site.id, [source]);
  if (other !== undefined && other.id !== id)
    throw new ApiError('address-taken', `The address ${source} is redirected already: change that redirect.`);
}

/** Throws a 400 about a destination that is not there, or from which the redirect itself leads back. */
async function requireDestination(
  { tx, structure }: LockedSite,
  source: string,
  destination: RedirectDestination,
): Promise<void> {
  const path = await pathOfDestination(tx, structure, destination);
  if (path === null) throw invalid('/body/destination', 'is not in this site');
  if (redirectSourcesOf(path.split('/').map(encodeURIComponent).join('/')).includes(source))
    throw invalid('/body/destination', 'is where the redirect begins, so it would lead in a circle');
}
