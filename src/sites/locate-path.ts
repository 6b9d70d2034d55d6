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
 * What a path can mean, the likeliest first: a section takes precedence over a space, and a space over a page; a default by
 * its name, which no address has, comes last. They can have the same name as a folder of pages, so only the pages that are
 * there tell which is meant. Empty when there is nothing to show.
 *
 * @param path decoded, without slashes at its ends
 */
export function locatePath(
  { sections, siteSpaces }: ArrangedStructure,
  path: string,
): readonly LocatedSitePath[] {
  const segments = path === '' ? [] : path.split('/');
  if (sections.length === 0) {
    return meaningsOf(siteSpaces, segments).map(({ part, rest }) => toLocated(null, part, rest));
  }
  return meaningsOf(sections, segments).flatMap(({ part: section, rest }) =>
    meaningsOf(section.siteSpaces, rest).map(({ part, rest }) => toLocated(section, part, rest)),
  );
}

/** The parts of a site, of which one may have a name that begins a path, with what follows the name. */
function meaningsOf<Part extends ArrangedSection | ArrangedSiteSpace>(
  parts: readonly Part[],
  segments: readonly string[],
): readonly { readonly part: Part; readonly rest: readonly string[] }[] {
  const [first, ...rest] = segments;
  const named = parts.find(({ row }) => row.path === first);
  const usual = parts.find(({ isDefault }) => isDefault) ?? parts[0];
  const byName = named === undefined ? [] : [{ part: named, rest }];
  const withoutName = usual === undefined ? [] : [{ part: usual, rest: segments }];
  return named === usual ? [...withoutName, ...byName] : [...byName, ...withoutName];
}

function toLocated(
  section: ArrangedSection | null,
  siteSpace: ArrangedSiteSpace,
  rest: readonly string[],
): LocatedSitePath {
  return { section, siteSpace, pagePath: rest.join('/') };
}

/** All spaces of a site, in the order of its sections. */
export function locationsOf({ sections, siteSpaces }: ArrangedStructure): readonly VariantLocation[] {
  return [
    ...sections.flatMap((section) => section.siteSpaces.map((siteSpace) => ({ section, siteSpace }))),
    ...siteSpaces.map((siteSpace) => ({ section: null, siteSpace })),
  ];
}
