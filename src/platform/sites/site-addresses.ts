import {
  type Db,
  findPagesAtSegments,
  listSiteSpacePaths,
  listTopSegments,
  type ShownSpace,
} from '../../store/index.ts';
import { ApiError } from '../api/api-error.ts';
import type { ArrangedSection, ArrangedSiteSpace, ArrangedStructure } from './arrange-structure.ts';
import { freePath, sitePathFrom } from './choose-path.ts';

/** What has a segment of its own at one level of a site's addresses; pages of the default content have the rest. */
interface Level {
  readonly key: string;
  readonly named: readonly { readonly segment: string; readonly name: string }[];
  readonly content: ShownSpace | null;
}

/** The root of a site, and each section but the default one. */
function levelsOf({ sections, siteSpaces }: ArrangedStructure): readonly Level[] {
  const front = sections.find(({ isDefault }) => isDefault);
  const root = level('', front?.siteSpaces ?? siteSpaces);
  const others = sections.filter((section) => section !== front);
  return [
    { ...root, named: [...others.map(nameSection), ...root.named] },
    ...others.map(({ row, siteSpaces: variants }) => level(row.id, variants)),
  ];
}

function level(key: string, variants: readonly ArrangedSiteSpace[]): Level {
  const first = variants.find(({ isDefault }) => isDefault);
  const named = variants
    .filter((variant) => variant !== first)
    .map(({ row }) => ({ segment: row.path, name: `the site-space “${row.space.title}”` }));
  return { key, named, content: first?.row.space ?? null };
}

function nameSection({ row }: ArrangedSection) {
  return { segment: row.path, name: `the section “${row.title}”` };
}

/** What shares one address, in words, by the address. A section goes before a site-space, and that before a page. */
async function findCollisions(db: Db, structure: ArrangedStructure): Promise<ReadonlyMap<string, string>> {
  const levels = levelsOf(structure);
  const found = new Map<string, string>();
  const names = new Map<string, string>();
  for (const { key, named } of levels)
    for (const { segment, name } of named) {
      const other = names.get(`${key}/${segment}`);
      if (other === undefined) names.set(`${key}/${segment}`, name);
      else found.set(`${key}/${segment}`, describe(segment, other, name));
    }
  const queries = levels.flatMap(({ key, named, content }) =>
    content?.historyId == null || content.version === null
      ? []
      : named.map(({ segment }) => ({
          key,
          historyId: content.historyId as string,
          version: content.version as number,
          segment,
        })),
  );
  for (const { key, segment, title } of await findPagesAtSegments(db, queries)) {
    const address = `${key}/${segment}`;
    found.set(
      address,
      found.get(address) ?? describe(segment, names.get(address) ?? '', `the page “${title}”`),
    );
  }
  return found;
}

function describe(segment: string, one: string, other: string): string {
  return `${one[0]?.toUpperCase()}${one.slice(1)} and ${other} would have the same address, /${segment}: choose another path.`;
}

/**
 * Throws a 409 if a change of a site would give two things one address. What shares one already is left alone, since an
 * import, which nobody can refuse, may have made it so.
 */
export async function requireFreeAddresses(
  db: Db,
  before: ArrangedStructure,
  after: ArrangedStructure,
): Promise<void> {
  const made = await findCollisions(db, after);
  if (made.size === 0) return;
  const known = await findCollisions(db, before);
  for (const [address, message] of made)
    if (!known.has(address)) throw new ApiError('address-taken', message);
}

/** A free path for a new section, made from its title. */
export async function pathForSection(db: Db, structure: ArrangedStructure, title: string): Promise<string> {
  const path = sitePathFrom(title, 'section');
  return freePath(path, await takenAtRoot(db, structure, path));
}

/** A free path for a new variant of a section, or (null) at the root of a site without sections. */
export async function pathForSiteSpace(
  db: Db,
  structure: ArrangedStructure,
  { siteId, section }: { readonly siteId: string; readonly section: ArrangedSection | null },
  title: string,
): Promise<string> {
  const path = sitePathFrom(title, 'space');
  const siblings = await listSiteSpacePaths(db, siteId, section?.row.id ?? null);
  const around =
    section === null || section.isDefault
      ? await takenAtRoot(db, structure, path)
      : await pagesOf(db, section.siteSpaces, path);
  return freePath(path, [...siblings, ...around]);
}

async function takenAtRoot(db: Db, structure: ArrangedStructure, path: string): Promise<readonly string[]> {
  const variants = structure.sections.find(({ isDefault }) => isDefault)?.siteSpaces ?? structure.siteSpaces;
  return [
    ...structure.sections.map(({ row }) => row.path),
    ...variants.filter(({ isDefault }) => !isDefault).map(({ row }) => row.path),
    ...(await pagesOf(db, variants, path)),
  ];
}

async function pagesOf(
  db: Db,
  variants: readonly ArrangedSiteSpace[],
  beginning: string,
): Promise<readonly string[]> {
  const content = variants.find(({ isDefault }) => isDefault)?.row.space;
  if (content?.historyId == null || content.version === null) return [];
  return await listTopSegments(db, { historyId: content.historyId, version: content.version }, beginning);
}
