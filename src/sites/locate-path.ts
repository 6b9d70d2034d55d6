import type { ArrangedSection, ArrangedSiteSpace, ArrangedStructure } from '../platform/index.ts';

/** A space of a site, and the section that it is in. */
export interface VariantLocation {
  /** Null in a site without sections. */
  readonly section: ArrangedSection | null;
  readonly siteSpace: ArrangedSiteSpace;
}

/** A path below a site's address, taken apart. */
export interface LocatedSitePath extends VariantLocation {
  /** That of a page in the space. */
  readonly pagePath: string;
}

/**
 * The section and the space that a path means: a section takes precedence over a space, and a space over a page. Null when
 * there is none to show.
 *
 * @param path decoded, without slashes at its ends
 */
export function locatePath(structure: ArrangedStructure, path: string): LocatedSitePath | null {
  const segments = path === '' ? [] : path.split('/');
  const named = structure.sections.find(({ row }) => row.path === segments[0]);
  const section =
    named ?? structure.sections.find(({ isDefault }) => isDefault) ?? structure.sections[0] ?? null;
  const rest = named === undefined ? segments : segments.slice(1);
  const siteSpaces = section?.siteSpaces ?? structure.siteSpaces;
  const namedSpace = siteSpaces.find(({ row }) => row.path === rest[0]);
  const siteSpace = namedSpace ?? siteSpaces.find(({ isDefault }) => isDefault) ?? siteSpaces[0];
  if (siteSpace === undefined) return null;
  return { section, siteSpace, pagePath: (namedSpace === undefined ? rest : rest.slice(1)).join('/') };
}

/** All spaces of a site, in the order of its sections. */
export function locationsOf({ sections, siteSpaces }: ArrangedStructure): readonly VariantLocation[] {
  return [
    ...sections.flatMap((section) => section.siteSpaces.map((siteSpace) => ({ section, siteSpace }))),
    ...siteSpaces.map((siteSpace) => ({ section: null, siteSpace })),
  ];
}
