import { placeInGroup, placeSiteSpace } from '../../store/index.ts';
import { invalid, notFound } from '../api/api-error.ts';
import { type ArrangedGroup, type ArrangedSection, MAX_GROUP_DEPTH } from '../sites/arrange-structure.ts';
import type { LockedSite } from '../sites/change-site.ts';
import { depthOf } from './change-structure.ts';
import { choosePlace } from './choose-place.ts';

/** The ids of the neighbours between which something goes. */
export interface Neighbours {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

type Item = ArrangedGroup | ArrangedSection;

/** Moves a space among those of its section, or of the root of the site. */
export async function moveSiteSpace(
  { tx, site, structure }: LockedSite,
  id: string,
  position: Neighbours,
): Promise<void> {
  const siblings = [structure.siteSpaces, ...structure.sections.map(({ siteSpaces }) => siteSpaces)].find(
    (siteSpaces) => siteSpaces.some(({ row }) => row.id === id),
  );
  if (siblings === undefined) throw notFound('site-space with this id in this site');
  const place = choosePlace(
    siblings.map(({ row }) => row),
    id,
    position,
  );
  await placeSiteSpace(tx, { id, siteId: site.id }, place);
}

/** Moves a group or a section beside its new neighbours, into the group where they are. */
export async function moveItem(
  { tx, site, structure }: LockedSite,
  { kind, id }: { readonly kind: 'group' | 'section'; readonly id: string },
  position: Neighbours,
): Promise<void> {
  const own = findParent(structure.items, id);
  if (own?.item.type !== kind)
    throw notFound(`${kind === 'group' ? 'section group' : 'section'} with this id in this site`);
  const named = position.after ?? position.before;
  const target = named === undefined ? own : findParent(structure.items, named);
  if (target === null) {
    const field = position.after === undefined ? 'before' : 'after';
    throw invalid(`/body/position/${field}`, 'is not a section or group of this site', 'position-invalid');
  }
  const groupId = target.parent?.row.id ?? null;
  if (kind === 'group' && groupId !== null) requireNesting(structure.items, own.item, groupId);
  const place = choosePlace(
    target.siblings.map(({ row }) => row),
    id,
    position,
  );
  await placeInGroup(tx, { kind, id, siteId: site.id }, groupId, place);
}

function requireNesting(items: readonly Item[], moved: Item, groupId: string): void {
  if (contains(moved, groupId)) throw invalid('/body/position', 'is in the group itself', 'position-invalid');
  if (depthOf(items, groupId) + heightOf(moved) > MAX_GROUP_DEPTH)
    throw invalid(
      '/body/position',
      `is nested too deep: groups nest at most ${MAX_GROUP_DEPTH} levels deep`,
      'position-invalid',
    );
}

function contains(item: Item, id: string): boolean {
  return item.row.id === id || (item.type === 'group' && item.children.some((child) => contains(child, id)));
}

function heightOf(item: Item): number {
  return item.type === 'section' ? 0 : 1 + Math.max(0, ...item.children.map(heightOf));
}

/** A group or section, with its siblings and the group that they are in. */
export function findParent(
  items: readonly Item[],
  id: string,
  parent: ArrangedGroup | null = null,
): {
  readonly item: Item;
  readonly siblings: readonly Item[];
  readonly parent: ArrangedGroup | null;
} | null {
  for (const item of items) {
    if (item.row.id === id) return { item, siblings: items, parent };
    const below = item.type === 'group' ? findParent(item.children, id, item) : null;
    if (below !== null) return below;
  }
  return null;
}
