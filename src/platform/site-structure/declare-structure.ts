import type { SiteDeclaration } from '../../contract/index.ts';
import { byPosition, deletePart, updateSection, updateSite, updateSiteSpace } from '../../store/index.ts';
import { ApiError } from '../api/api-error.ts';
import type { ArrangedSection, ArrangedSiteSpace } from '../sites/arrange-structure.ts';
import type { LockedSite } from '../sites/change-site.ts';
import { addSection, addSpaceAt, reload, turnRootIntoSection } from './change-structure.ts';

type Wanted = SiteDeclaration['sections'][number];

/**
 * Gives a site the sections that its source names, in their order, and takes those spaces out that it named before. What
 * others added stays behind them. Returns the site as it is then.
 */
export async function declareStructure(
  locked: LockedSite,
  source: string,
  sections: readonly Wanted[],
): Promise<LockedSite> {
  const [only] = sections;
  const isPlain =
    sections.length === 1 &&
    only?.title === undefined &&
    only?.path === undefined &&
    locked.structure.sections.length === 0;
  const { now, kept } =
    only !== undefined && isPlain
      ? await declareRoot(locked, source, only)
      : await declareSections(await turnRootIntoSection(locked), source, sections);
  return await removeOthers(now, source, kept);
}

/** The site after a change, and the ids of the site-spaces that the source named. */
interface Declared {
  readonly now: LockedSite;
  readonly kept: ReadonlySet<string>;
}

/** A site of one section without a title needs no section. */
async function declareRoot(locked: LockedSite, source: string, { spaces }: Wanted): Promise<Declared> {
  const now = await addMissing(locked, { spaces, known: locked.structure.siteSpaces, sectionId: null });
  const variants = inOrder(now.structure.siteSpaces, spaces);
  await declareVariants(now, source, variants);
  const [first] = variants;
  if (first !== undefined && !first.isDefault)
    await updateSite(now.tx, now.site.id, { defaultSiteSpaceId: first.row.id });
  return { now: await reload(now), kept: idsOf(variants) };
}

async function declareSections(
  locked: LockedSite,
  source: string,
  sections: readonly Wanted[],
): Promise<Declared> {
  let now = locked;
  const ids: string[] = [];
  const kept = new Set<string>();
  for (const wanted of sections) {
    const { id } = findSection(now, source, wanted, ids) ?? (await insert(now, wanted));
    ids.push(id);
    const variants = await declareSection(await reload(now), source, id, wanted);
    for (const siteSpaceId of idsOf(variants)) kept.add(siteSpaceId);
    now = await reload(now);
  }
  const rows = ids.flatMap((id) => now.structure.sections.filter(({ row }) => row.id === id));
  await reorder(
    rows.map(({ row }) => row),
    (id, position) => updateSection(now.tx, id, { position }),
  );
  const [first] = ids;
  if (first !== undefined && now.site.defaultSectionId !== first)
    await updateSite(now.tx, now.site.id, { defaultSectionId: first });
  return { now: await reload(now), kept };
}

function idsOf(siteSpaces: readonly ArrangedSiteSpace[]): ReadonlySet<string> {
  return new Set(siteSpaces.map(({ row }) => row.id));
}

/** The section that shows the first of its spaces that any shows, the one that the source added before others. */
function findSection(
  { structure }: LockedSite,
  source: string,
  { spaces }: Wanted,
  taken: readonly string[],
): ArrangedSection['row'] | null {
  for (const spaceId of spaces) {
    const showing = structure.sections.filter(
      ({ row, siteSpaces }) =>
        !taken.includes(row.id) && siteSpaces.some((variant) => variant.row.spaceId === spaceId),
    );
    const own = showing.find(({ siteSpaces }) =>
      siteSpaces.some((variant) => variant.row.spaceId === spaceId && variant.row.declaredBy === source),
    );
    const found = own ?? showing[0];
    if (found !== undefined) return found.row;
  }
  return null;
}

async function insert(locked: LockedSite, { title, spaces }: Wanted): Promise<ArrangedSection['row']> {
  const [spaceId = ''] = spaces;
  return await addSection(locked, { spaceId, title: title ?? null, icon: null });
}

/** Returns the variants that the source names. */
async function declareSection(
  locked: LockedSite,
  source: string,
  id: string,
  { spaces, title, path }: Wanted,
): Promise<readonly ArrangedSiteSpace[]> {
  const before = sectionOf(locked, id);
  if (path !== undefined && path !== before.row.path) {
    const other = locked.structure.sections.find(({ row }) => row.id !== id && row.path === path);
    if (other !== undefined)
      throw new ApiError(
        'address-taken',
        `The path ${path} belongs to the section “${other.row.title}” already: choose another one.`,
      );
    await updateSection(locked.tx, id, { path });
  }
  if (title !== undefined && title !== before.row.title) await updateSection(locked.tx, id, { title });
  const now = await addMissing(locked, { spaces, known: before.siteSpaces, sectionId: id });
  const variants = inOrder(sectionOf(now, id).siteSpaces, spaces);
  await declareVariants(now, source, variants);
  const [first] = variants;
  if (first !== undefined && !first.isDefault)
    await updateSection(now.tx, id, { defaultSiteSpaceId: first.row.id });
  return variants;
}

function sectionOf({ structure }: LockedSite, id: string): ArrangedSection {
  const found = structure.sections.find(({ row }) => row.id === id);
  if (found === undefined) throw new Error(`The section ${id} is not in its site.`);
  return found;
}

async function addMissing(
  locked: LockedSite,
  {
    spaces,
    known,
    sectionId,
  }: {
    readonly spaces: readonly string[];
    readonly known: readonly ArrangedSiteSpace[];
    readonly sectionId: string | null;
  },
): Promise<LockedSite> {
  let now = locked;
  for (const spaceId of spaces) {
    if (known.some(({ row }) => row.spaceId === spaceId)) continue;
    await addSpaceAt(now, spaceId, sectionId);
    now = await reload(now);
  }
  return now;
}

/** The variants that the source names, in its order. */
function inOrder(
  siteSpaces: readonly ArrangedSiteSpace[],
  spaces: readonly string[],
): readonly ArrangedSiteSpace[] {
  return spaces.flatMap((spaceId) => siteSpaces.find(({ row }) => row.spaceId === spaceId) ?? []);
}

async function declareVariants(
  { tx }: LockedSite,
  source: string,
  variants: readonly ArrangedSiteSpace[],
): Promise<void> {
  for (const { row } of variants)
    if (row.declaredBy !== source) await updateSiteSpace(tx, row.id, { declaredBy: source });
  await reorder(
    variants.map(({ row }) => row),
    (id, position) => updateSiteSpace(tx, id, { position }),
  );
}

/** Gives rows, in the order that they shall have, the positions that they have together; all others stay where they are. */
async function reorder(
  rows: readonly { readonly id: string; readonly position: string }[],
  place: (id: string, position: string) => Promise<void>,
): Promise<void> {
  const positions = rows.toSorted(byPosition).map(({ position }) => position);
  for (const [at, { id, position }] of rows.entries()) {
    const wanted = positions[at] ?? position;
    if (wanted !== position) await place(id, wanted);
  }
}

/** Takes out what the source named before, with sections in which nothing is left. */
async function removeOthers(
  locked: LockedSite,
  source: string,
  kept: ReadonlySet<string>,
): Promise<LockedSite> {
  const { tx, site, structure } = locked;
  const isOver = ({ row }: ArrangedSiteSpace) => row.declaredBy === source && !kept.has(row.id);
  const all = [...structure.siteSpaces, ...structure.sections.flatMap(({ siteSpaces }) => siteSpaces)];
  for (const { row } of all.filter(isOver))
    await deletePart(tx, 'siteSpace', { siteId: site.id, id: row.id });
  for (const { row, siteSpaces } of structure.sections)
    if (siteSpaces.length > 0 && siteSpaces.every(isOver))
      await deletePart(tx, 'section', { siteId: site.id, id: row.id });
  return await reload(locked);
}
