import type { Position } from '../../contract/index.ts';
import type { Sibling } from '../../store/index.ts';
import { ApiError, invalid } from '../api/api-error.ts';

/** The positions of the neighbours of something that is moved; null where there is no neighbour. */
export interface Gap {
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * Where something is placed among the children of its (new) parent, in their order; it is one of `siblings` itself when
 * its parent stays. Throws a 400 when the position names nothing there, and a 409 when nothing would change.
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
    throw invalid('/body/position', 'names two that do not follow each other', 'position-invalid');
  }
  const hasPosition = left !== undefined || right !== undefined;
  if (self.isThere && !hasPosition) throw nothingToDo();
  const at = left !== undefined ? left + 1 : (right ?? neighbours.length);
  if (self.isThere && isSame(siblings, neighbours, self.id, at)) throw nothingToDo();
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
    throw invalid(`/body/position/${field}`, `names no ${named.type} that stands there`, 'position-invalid');
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

function nothingToDo(): ApiError {
  return new ApiError('nothing-to-change', 'It stands there already, so nothing would change.');
}
