import {
  byPosition,
  type SiteRow,
  type SiteSectionGroupRow,
  type SiteSectionRow,
  type SiteSpaceView,
  type SiteStructureRows,
} from '../../store/index.ts';

/** A space in a site. */
export interface ArrangedSiteSpace {
  readonly row: SiteSpaceView;
  /** Whether it is what its section, or a site without sections, shows first. */
  readonly isDefault: boolean;
  /** Below the site's address: without a segment for the default section and for a default. */
  readonly path: string;
}

export interface ArrangedSection {
  readonly type: 'section';
  readonly row: SiteSectionRow;
  readonly isDefault: boolean;
  readonly path: string;
  readonly siteSpaces: readonly ArrangedSiteSpace[];
}

export interface ArrangedGroup {
  readonly type: 'group';
  readonly row: SiteSectionGroupRow;
  readonly children: readonly (ArrangedGroup | ArrangedSection)[];
}

/** The structure of a site as its readers see it. A site has either sections or, at its root, spaces. */
export interface ArrangedStructure {
  /** Groups and sections outside of groups, in their order. */
  readonly items: readonly (ArrangedGroup | ArrangedSection)[];
  /** All sections, in the order in which they are shown. */
  readonly sections: readonly ArrangedSection[];
  /** The spaces at the root; none where there are sections. */
  readonly siteSpaces: readonly ArrangedSiteSpace[];
}

/** How deep groups nest. */
export const MAX_GROUP_DEPTH = 8;

/**
 * Puts the structure of a site together. Where the chosen default is not there (any more), the first in the order is the
 * default.
 */
export function arrangeStructure(
  site: Pick<SiteRow, 'defaultSectionId' | 'defaultSiteSpaceId'>,
  rows: SiteStructureRows,
): ArrangedStructure {
  const groups = new Set(rows.groups.map(({ id }) => id));
  const groupsIn = Map.groupBy(rows.groups, ({ parentId }) => knownOrNull(groups, parentId));
  const sectionsIn = Map.groupBy(rows.sections, ({ groupId }) => knownOrNull(groups, groupId));
  const spacesIn = Map.groupBy(rows.siteSpaces, ({ sectionId }) => sectionId);

  type Child = SiteSectionGroupRow | SiteSectionRow;
  const isGroup = (row: Child): row is SiteSectionGroupRow => groups.has(row.id);
  const childrenOf = (parent: string | null) =>
    [...(groupsIn.get(parent) ?? []), ...(sectionsIn.get(parent) ?? [])].toSorted(byPosition);

  const shown: SiteSectionRow[] = [];
  (function walk(parent: string | null, depth: number) {
    for (const row of childrenOf(parent)) {
      if (!isGroup(row)) shown.push(row);
      else if (depth < MAX_GROUP_DEPTH) walk(row.id, depth + 1);
    }
  })(null, 0);
  const defaultSection = shown.find(({ id }) => id === site.defaultSectionId) ?? shown[0];

  function arrangeSection(row: SiteSectionRow): ArrangedSection {
    const isDefault = row === defaultSection;
    const path = isDefault ? '' : row.path;
    const siteSpaces = arrangeSpaces(spacesIn.get(row.id) ?? [], row.defaultSiteSpaceId, path);
    return { type: 'section', row, isDefault, path, siteSpaces };
  }
  const sections = new Map(shown.map((row) => [row.id, arrangeSection(row)]));

  function arrange(parent: string | null, depth: number): readonly (ArrangedGroup | ArrangedSection)[] {
    return childrenOf(parent).flatMap((row) => {
      if (!isGroup(row)) return sections.get(row.id) ?? [];
      return depth < MAX_GROUP_DEPTH
        ? { type: 'group' as const, row, children: arrange(row.id, depth + 1) }
        : [];
    });
  }
  return {
    items: arrange(null, 0),
    sections: [...sections.values()],
    siteSpaces: arrangeSpaces(spacesIn.get(null) ?? [], site.defaultSiteSpaceId, ''),
  };
}

function arrangeSpaces(
  rows: readonly SiteSpaceView[],
  chosen: string | null,
  sectionPath: string,
): readonly ArrangedSiteSpace[] {
  const first = rows.find(({ id }) => id === chosen) ?? rows[0];
  return rows.map((row) => {
    const isDefault = row === first;
    const path = [sectionPath, isDefault ? '' : row.path].filter((part) => part !== '').join('/');
    return { row, isDefault, path };
  });
}

function knownOrNull(known: ReadonlySet<string>, id: string | null): string | null {
  return id !== null && known.has(id) ? id : null;
}
