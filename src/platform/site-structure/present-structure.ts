import type {
  SiteCustomization,
  SiteSection,
  SiteSectionGroup,
  SiteSpace,
  SiteStructure,
  Space,
} from '../../contract/index.ts';
import { loadLiveSpaces, loadSiteStructure, type SpaceRow } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { loadAccessMap } from '../access/load-access-map.ts';
import type { LocatedSite } from '../access/require-site.ts';
import { allows, siteRights, spaceRights } from '../access/roles.ts';
import type { PlatformDeps } from '../deps.ts';
import {
  type ArrangedGroup,
  type ArrangedSection,
  type ArrangedSiteSpace,
  type ArrangedStructure,
  arrangeStructure,
} from '../sites/arrange-structure.ts';
import { hideConditional, isTrueFor, NOTHING_KNOWN } from '../sites/conditions.ts';
import { publishedSiteAddress } from '../sites/present-site.ts';
import { addressBelow } from '../sites/site-address.ts';
import { loadSpaceCounts, presentSpace } from '../spaces/present-space.ts';

/** The structure of a site as a caller sees it, with presenters for its parts. */
export interface StructureView {
  readonly structure: ArrangedStructure;
  /** All spaces of the site, in no particular order. */
  readonly siteSpaces: readonly ArrangedSiteSpace[];
  readonly groups: readonly ArrangedGroup[];
  whole(): SiteStructure;
  siteSpace(siteSpace: ArrangedSiteSpace): SiteSpace;
  section(section: ArrangedSection): SiteSection;
  group(group: ArrangedGroup): SiteSectionGroup;
}

/** Loads the structure for a caller. Who is only a reader of the site sees what is there for a visitor without claims. */
export async function presentStructure(
  deps: PlatformDeps,
  caller: Caller,
  located: LocatedSite,
): Promise<StructureView> {
  const { site } = located;
  const arranged = arrangeStructure(site, await loadSiteStructure(deps.db, site.id));
  const isMember = allows(located.effectiveRole, siteRights.access);
  const structure = isMember
    ? arranged
    : hideConditional(arranged, (condition) => isTrueFor(condition, NOTHING_KNOWN));
  const siteSpaces = [
    ...structure.siteSpaces,
    ...structure.sections.flatMap((section) => section.siteSpaces),
  ];
  const present = await presentShownSpaces(deps, caller, located, siteSpaces);
  const address = publishedSiteAddress(deps, located);
  const urlsOf = (path: string) => (address === null ? {} : { published: addressBelow(address, path) });
  /** How the address is chosen is nothing for readers. */
  const conditionOf = (condition: string | null) => (condition === null || !isMember ? {} : { condition });

  function siteSpace({ row, isDefault, path }: ArrangedSiteSpace): SiteSpace {
    const title = (row.customization as Partial<SiteCustomization> | null)?.title ?? row.space.title;
    return {
      object: 'site-space',
      id: row.id,
      path: row.path,
      space: present(row.spaceId),
      title,
      default: isDefault,
      hasAdvancedCustomizationFeature: row.customization !== null,
      urls: urlsOf(path),
      ...conditionOf(row.condition),
      ...(row.sectionId === null ? {} : { section: row.sectionId }),
    };
  }

  function section({ row, isDefault, path, siteSpaces: variants }: ArrangedSection): SiteSection {
    return {
      object: 'site-section',
      id: row.id,
      title: row.title,
      default: isDefault,
      path: row.path,
      siteSpaces: variants.map(siteSpace),
      urls: urlsOf(path),
      ...conditionOf(row.condition),
      ...(row.description === null ? {} : { description: row.description }),
      ...(row.groupId === null ? {} : { sectionGroup: row.groupId }),
      ...(row.icon === null ? {} : { icon: row.icon }),
    };
  }

  function group({ row, children }: ArrangedGroup): SiteSectionGroup {
    const presented = children.map(item);
    return {
      object: 'site-section-group',
      id: row.id,
      title: row.title,
      sections: presented.filter((child) => child.object === 'site-section'),
      children: presented,
      ...(row.icon === null ? {} : { icon: row.icon }),
      ...(row.parentId === null ? {} : { sectionGroup: row.parentId }),
    };
  }

  function item(one: ArrangedGroup | ArrangedSection): SiteSection | SiteSectionGroup {
    return one.type === 'group' ? group(one) : section(one);
  }

  return {
    structure,
    siteSpaces,
    groups: structure.items.flatMap(groupsIn),
    siteSpace,
    section,
    group,
    whole: () =>
      structure.items.length > 0
        ? { type: 'sections', structure: structure.items.map(item) }
        : { type: 'siteSpaces', structure: structure.siteSpaces.map(siteSpace) },
  };
}

function groupsIn(item: ArrangedGroup | ArrangedSection): readonly ArrangedGroup[] {
  return item.type === 'section' ? [] : [item, ...item.children.flatMap(groupsIn)];
}

/** Spaces as the caller may see them: of those that only the site shows them, no more than it shows. */
async function presentShownSpaces(
  deps: PlatformDeps,
  caller: Caller,
  { site: { organizationId } }: LocatedSite,
  siteSpaces: readonly ArrangedSiteSpace[],
): Promise<(spaceId: string) => Space> {
  const ids = [...new Set(siteSpaces.map(({ row }) => row.spaceId))];
  const accessMap = await loadAccessMap(deps.db, organizationId, caller.membershipIn(organizationId));
  const countsOf = await loadSpaceCounts(deps.db, ids);
  const rows = new Map((await loadLiveSpaces(deps.db, ids)).map((row) => [row.id, row]));
  return (spaceId) => {
    const row = rows.get(spaceId) as SpaceRow;
    const role = accessMap.roleInSpace(row);
    const { roleInOrganization: inOrganization } = accessMap;
    if (allows(role, spaceRights.view))
      return presentSpace(row, { role, inOrganization }, deps.publicUrl, countsOf(spaceId));
    const shown = { ...row, parentId: null, mergeRules: null, defaultLevel: null, gitSync: null };
    return presentSpace(shown, { role: 'none', inOrganization: 'none' }, deps.publicUrl);
  };
}
