import type { Position } from '../../contract/index.ts';
import type { Sibling } from '../../store/index.ts';
import { ApiError, invalid } from '../api/api-error.ts';

/** The positions of the siblings around a moved space or collection; null where there is none. */
export interface Gap {
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * Chooses where a space or collection goes among the ordered children of its (new) parent; it is one of `siblings` itself
 * if its parent stays. Throws a 400 if the position names no sibling, and a 409 if nothing would change.
 */
export function chooseGap(
  siblings: readonly Sibling[],
  self: { readonly id: string; readonly isThere: boolean },
  position: Position = {},
): Gap {
  const neighbours = siblings.filter((sibling) => sibling.id !== self.id);
  const left = position.after === undefined ? undefined : indexOf(neighbours, position.after, 'after');
  const right = position.before === undefined ? undefined : indexOf(neighbours, position.before, 'before');
  if (left !== undefined && right !== undefined && !areAdjacent(neighbours, left, right)) {
    throw invalid('/body/position', 'names two siblings that are not adjacent', 'position-invalid');
  }
  const hasPosition = left !== undefined || right !== undefined;
  if (self.isThere && !hasPosition) throw alreadyThere();
  const at = left !== undefined ? left + 1 : (right ?? neighbours.length);
  if (self.isThere && isSame(siblings, neighbours, self.id, at)) throw alreadyThere();
  return { before: neighbours[at - 1]?.position ?? null, after: neighbours[at]?.position ?? null };
}

function indexOf(
  neighbours: readonly Sibling[],
  named: NonNullable<Position['before']>,
  field: 'before' | 'after',
): number {
  const id = named.type === 'space' ? named.space : named.collection;
  const index = neighbours.findIndex(
    (sibling) => sibling.id === id && sibling.type === named.type && !sibling.isDeleted,
  );
  if (index === -1)
    throw invalid(
      `/body/position/${field}`,
      `is not a ${named.type} with the same parent`,
      'position-invalid',
    );
  return index;
}

/** Deleted siblings are not visible, so they do not count. */
function areAdjacent(neighbours: readonly Sibling[], left: number, right: number): boolean {
  return left < right && neighbours.slice(left + 1, right).every((sibling) => sibling.isDeleted);
}

function isSame(
  siblings: readonly Sibling[],
  neighbours: readonly Sibling[],
  selfId: string,
  at: number,
): boolean {
  const was = siblings.findIndex((sibling) => sibling.id === selfId);
  return neighbours.slice(Math.min(was, at), Math.max(was, at)).every((sibling) => sibling.isDeleted);
}

function alreadyThere(): ApiError {
  return new ApiError('nothing-to-change', 'It is already at this position, so nothing would change.');
}
