import {
  insertSection,
  insertSectionGroup,
  insertSiteSpace,
  loadLiveSpaces,
  loadSiteStructure,
  lockSite,
  moveRootInto,
  newId,
  type SiteSectionGroupRow,
  type SiteSectionRow,
  type SiteSpaceRow,
  updateSection,
  updateSite,
} from '../../store/index.ts';
import { ApiError, invalid, notFound } from '../api/api-error.ts';
import {
  type ArrangedGroup,
  type ArrangedSection,
  arrangeStructure,
  MAX_GROUP_DEPTH,
} from '../sites/arrange-structure.ts';
import type { LockedSite } from '../sites/change-site.ts';
import { pathForSection, pathForSiteSpace } from '../sites/site-addresses.ts';

/** The most sections and groups of a site, and the most spaces. */
const MAX_PARTS = 500;

/** Adds a space to a section, or (null) to the default section, or to the root of a site without sections. */
export async function addSpaceAt(
  locked: LockedSite,
  spaceId: string,
  sectionId: string | null,
): Promise<SiteSpaceRow> {
  const { structure } = locked;
  if (sectionId === null) {
    const section = structure.sections.find(({ isDefault }) => isDefault) ?? null;
    return await insertSpace(locked, section, spaceId);
  }
  const section = structure.sections.find(({ row }) => row.id === sectionId);
  if (section === undefined) throw invalid('/body/sectionId', 'is not a section of this site');
  return await insertSpace(locked, section, spaceId);
}

async function insertSpace(
  { tx, site, structure, spaceIds }: LockedSite,
  section: ArrangedSection | null,
  spaceId: string,
): Promise<SiteSpaceRow> {
  requireRoom(
    [structure.siteSpaces, ...structure.sections.map(({ siteSpaces }) => siteSpaces)].flat().length,
    'spaces',
  );
  const title = await titleOf({ tx, spaceIds }, spaceId);
  const path = await pathForSiteSpace(tx, structure, { siteId: site.id, section }, title);
  const row = await insertSiteSpace(tx, {
    id: newId(),
    siteId: site.id,
    sectionId: section?.row.id ?? null,
    spaceId,
    path,
  });
  // Chosen once, so that what is moved before it later does not become the default.
  if ((section?.siteSpaces ?? structure.siteSpaces).length === 0) {
    if (section === null) await updateSite(tx, site.id, { defaultSiteSpaceId: row.id });
    else await updateSection(tx, section.row.id, { defaultSiteSpaceId: row.id });
  }
  return row;
}

/** Adds a section with a space. What was at the root of the site becomes a section before it. */
export async function addSection(
  locked: LockedSite,
  section: {
    readonly spaceId: string;
    readonly title: string | null;
    readonly icon: string | null;
  },
): Promise<SiteSectionRow> {
  const { tx, site, structure } = locked;
  requireRoom(structure.sections.length + countGroups(structure.items), 'sections and groups');
  const now = await turnRootIntoSection(locked);
  const title = section.title ?? sectionTitle(await titleOf(now, section.spaceId));
  const row = await insert(now, { title, icon: section.icon });
  if (now.structure.sections.length === 0) await updateSite(tx, site.id, { defaultSectionId: row.id });
  await addSpaceAt(await reload(locked), section.spaceId, row.id);
  return row;
}

/** Makes a section of what a site without sections shows; returns the site as it is then. */
export async function turnRootIntoSection(locked: LockedSite): Promise<LockedSite> {
  const { tx, site, structure } = locked;
  const first = structure.siteSpaces.find(({ isDefault }) => isDefault);
  if (structure.sections.length === 0 && first !== undefined) {
    const title = sectionTitle(first.row.space.title);
    const row = await insert(locked, { title, icon: null });
    await moveRootInto(tx, site.id, row.id);
    await updateSection(tx, row.id, { defaultSiteSpaceId: first.row.id });
    await updateSite(tx, site.id, { defaultSectionId: row.id, defaultSiteSpaceId: null });
  }
  return await reload(locked);
}

async function titleOf(
  { tx, spaceIds }: Pick<LockedSite, 'tx' | 'spaceIds'>,
  spaceId: string,
): Promise<string> {
  const [space] = spaceIds.has(spaceId) ? await loadLiveSpaces(tx, [spaceId]) : [];
  if (space === undefined) throw invalid('/body/spaceId', 'is not the id of a space that you may see');
  return space.title;
}

/** The title of a space as one of a section, which has two characters at least. */
function sectionTitle(title: string): string {
  return title.length < 2 ? `Section ${title}` : title.slice(0, 128).trim();
}

async function insert(
  { tx, site, structure }: LockedSite,
  { title, icon }: { readonly title: string; readonly icon: string | null },
): Promise<SiteSectionRow> {
  const path = await pathForSection(tx, structure, title);
  return await insertSection(tx, { id: newId(), siteId: site.id, groupId: null, title, path, icon });
}

/** Adds a group at the end of the site, or of another group. */
export async function addGroup(
  { tx, site, structure }: LockedSite,
  group: Pick<SiteSectionGroupRow, 'title' | 'icon' | 'parentId'>,
): Promise<SiteSectionGroupRow> {
  requireRoom(structure.sections.length + countGroups(structure.items), 'sections and groups');
  if (group.parentId !== null) {
    const depth = depthOf(structure.items, group.parentId);
    if (depth === 0) throw invalid('/body/parent', 'is not a section group of this site');
    if (depth >= MAX_GROUP_DEPTH)
      throw invalid('/body/parent', `is nested too deep: groups nest at most ${MAX_GROUP_DEPTH} levels deep`);
  }
  return await insertSectionGroup(tx, { id: newId(), siteId: site.id, ...group });
}

/** The locked site as it is after a first change. */
export async function reload(locked: LockedSite): Promise<LockedSite> {
  const { tx } = locked;
  const site = await lockSite(tx, locked.site.organizationId, locked.site.id);
  if (site === null) throw notFound('site with this id in this organization');
  return { ...locked, site, structure: arrangeStructure(site, await loadSiteStructure(tx, site.id)) };
}

type Items = readonly (ArrangedGroup | ArrangedSection)[];

export function countGroups(items: Items): number {
  return items.reduce((sum, item) => sum + (item.type === 'group' ? 1 + countGroups(item.children) : 0), 0);
}

/** How deep a group is nested: 1 at the root; 0 for none. */
export function depthOf(items: Items, groupId: string): number {
  for (const item of items) {
    if (item.type !== 'group') continue;
    if (item.row.id === groupId) return 1;
    const below = depthOf(item.children, groupId);
    if (below > 0) return below + 1;
  }
  return 0;
}

function requireRoom(count: number, what: string): void {
  if (count >= MAX_PARTS) throw new ApiError('limit-reached', `A site has at most ${MAX_PARTS} ${what}.`);
}
