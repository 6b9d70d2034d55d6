import type { BodyOf, Operations } from '../../contract/index.ts';
import {
  type Db,
  diffFields,
  findRival,
  loadSiteStructure,
  lockHostname,
  type SiteRow,
  updateSection,
  updateSite,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { ApiError, invalid } from '../api/api-error.ts';
import type { PlatformDeps } from '../deps.ts';
import { arrangeStructure } from './arrange-structure.ts';
import { type LockedSite, recordSite, requireNoCollision, withSiteLocked } from './change-site.ts';

type Body = BodyOf<Operations['updateSite']>;

const SETTINGS = [
  'title',
  'visibility',
  'basename',
  'hostname',
  'proxy',
  'adaptiveContent',
  'agentsContext',
  'defaultSectionId',
  'defaultSiteSpaceId',
] as const;

/** Changes the fields of a site that the request contains. */
export async function changeSite(
  deps: Pick<PlatformDeps, 'publicUrl' | 'sitesUrl'> & { readonly db: Db },
  caller: Caller,
  found: SiteRow,
  body: Body,
): Promise<SiteRow> {
  const { adaptiveContent, defaultSiteSpace, defaultSiteSection, ...fields } = body;
  if (fields.hostname != null && isOwnHost(deps, fields.hostname))
    throw invalid('/body/hostname', 'belongs to this server itself; choose another host');
  return await withSiteLocked(deps.db, found, async (locked) => {
    const { tx, site } = locked;
    await requireFree(locked, fields);
    const changed = {
      ...fields,
      ...(adaptiveContent === undefined ? {} : { adaptiveContent: adaptiveContent.enabled }),
      ...(defaultSiteSection === undefined
        ? {}
        : { defaultSectionId: requireSection(locked, defaultSiteSection) }),
    };
    let row = (await updateSite(tx, site.id, changed)) as SiteRow;
    if (defaultSiteSpace !== undefined) row = await setDefaultSpace(locked, row, defaultSiteSpace);
    await requireNoCollision(locked);
    const diff = diffFields(site, row, SETTINGS);
    if (diff !== null) await recordSite(tx, caller, 'site.update', row, diff);
    return row;
  });
}

/** Throws a 409 if another site has the basename or, proved, the host. */
async function requireFree(
  { tx, site }: LockedSite,
  { basename, hostname }: Pick<Body, 'basename' | 'hostname'>,
): Promise<void> {
  if (basename !== undefined && basename !== site.basename) {
    await lockHostname(tx, `sites of ${site.organizationId}`);
    const rival = await findRival(tx, site, { basename });
    if (rival !== null)
      throw new ApiError(
        'address-taken',
        `The basename ${basename} belongs to the site “${rival.title}” already: choose another one.`,
      );
  }
  if (hostname != null && hostname !== site.hostname) {
    await lockHostname(tx, `host ${hostname}`);
    const rival = await findRival(tx, site, { hostname });
    if (rival?.hostnameProved === true)
      throw new ApiError('hostname-taken', `The host ${hostname} belongs to another site already.`);
    // Nobody keeps others from their own host by naming it first.
    if (rival !== null) await updateSite(tx, rival.id, { hostname: null });
  }
}

function requireSection({ structure }: LockedSite, id: string): string {
  if (structure.sections.some(({ row }) => row.id === id)) return id;
  throw invalid('/body/defaultSiteSection', 'is not a section of this site');
}

/** The default of the site, or of its default section, which may just have changed. */
async function setDefaultSpace({ tx }: LockedSite, site: SiteRow, id: string): Promise<SiteRow> {
  const structure = arrangeStructure(site, await loadSiteStructure(tx, site.id));
  const section = structure.sections.find(({ isDefault }) => isDefault);
  if (!(section?.siteSpaces ?? structure.siteSpaces).some(({ row }) => row.id === id)) {
    const where = section === undefined ? 'at the root of this site' : 'of the default section of this site';
    throw invalid('/body/defaultSiteSpace', `is not a site-space ${where}`);
  }
  if (section === undefined) return (await updateSite(tx, site.id, { defaultSiteSpaceId: id })) as SiteRow;
  await updateSection(tx, section.row.id, { defaultSiteSpaceId: id });
  return site;
}

/** What people write is never shown on the origin of the server's own pages, or in the place of another organization. */
function isOwnHost(
  { publicUrl, sitesUrl }: Pick<PlatformDeps, 'publicUrl' | 'sitesUrl'>,
  host: string,
): boolean {
  const sites = sitesUrl === null ? null : new URL(sitesUrl).hostname.slice(1);
  return host === new URL(publicUrl).hostname || (sites !== null && host.endsWith(sites));
}
