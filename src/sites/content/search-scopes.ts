import type { ArrangedStructure } from '../../platform/index.ts';
import { locationsOf, type VariantLocation } from '../locate-path.ts';
import { type FolderLanguages, folderOfLanguage } from './folder-languages.ts';

/** How far a search reaches from where it is made. */
export const SEARCH_SCOPES = ['all', 'section', 'variant'] as const;
export type SearchScopeName = (typeof SEARCH_SCOPES)[number];

/**
 * Where a search is made, as its address says: the id of the site-space that is read, and below it the language of the page
 * where that is in a folder of its space, since the others are searched after it.
 */
export function searchOrigin(
  siteSpaceId: string,
  { languages }: { readonly languages: FolderLanguages | null },
  language: string,
): string {
  return folderOfLanguage(languages, language) === null ? siteSpaceId : `${siteSpaceId}/${language}`;
}

/** The site-space and the language of {@link searchOrigin}; null for the default one. */
export function readSearchOrigin(origin: string | undefined): {
  readonly siteSpaceId: string | undefined;
  readonly language: string | null;
} {
  const [siteSpaceId, language] = typeof origin === 'string' ? origin.split('/', 2) : [];
  return { siteSpaceId, language: language ?? null };
}

/** Something that can be searched, and what people call it; null for the whole site. */
export interface ReachableScope {
  readonly name: SearchScopeName;
  readonly label: string | null;
  readonly locations: readonly VariantLocation[];
}

/**
 * What can be searched from a space of a site, the usual first: every section once, in the variant that is read or the one
 * most like it; all variants of the section; this variant alone. Those that would find the same are one.
 *
 * @param from the id of the site-space that is read; where it is none, the default
 */
export function scopesFrom(
  structure: ArrangedStructure,
  from: string | undefined,
): readonly ReachableScope[] {
  const all = locationsOf(structure);
  const here =
    all.find(({ siteSpace }) => siteSpace.row.id === from) ??
    all.find(({ section, siteSpace }) => siteSpace.isDefault && section?.isDefault !== false) ??
    all[0];
  if (here === undefined) return [];
  const sections = Map.groupBy(all, ({ section }) => section?.row.id ?? null);
  const own = sections.get(here.section?.row.id ?? null) ?? [];
  const everywhere = [...sections.values()].map((variants) =>
    variants === own ? here : mostLike(here, variants),
  );
  const { title } = here.siteSpace.row.space;
  const wanted: readonly ReachableScope[] = [
    { name: 'all', label: sections.size > 1 ? null : title, locations: everywhere },
    { name: 'section', label: here.section?.row.title ?? null, locations: own },
    {
      name: 'variant',
      label: [
        ...(here.section === null ? [] : [here.section.row.title]),
        ...(own.length > 1 ? [title] : []),
      ].join(' › '),
      locations: [here],
    },
  ];
  const known = new Set<string>();
  return wanted.filter(({ locations }) => {
    const key = locations.map(({ siteSpace }) => siteSpace.row.id).join(' ');
    return known.size < known.add(key).size;
  });
}

/** The variant of another section that readers of one expect: of the same name, else in the same language, else the default. */
function mostLike(here: VariantLocation, variants: readonly VariantLocation[]): VariantLocation {
  const { path, space } = here.siteSpace.row;
  const usual = variants.find(({ siteSpace }) => siteSpace.isDefault) ?? (variants[0] as VariantLocation);
  if (here.siteSpace.isDefault) return usual;
  return (
    variants.find(({ siteSpace }) => siteSpace.row.path === path) ??
    [usual, ...variants].find(({ siteSpace }) => siteSpace.row.space.language === space.language) ??
    usual
  );
}
