import type { Position } from '../../contract/index.ts';
import type { Sibling } from '../../store/index.ts';
import { ApiError, invalid } from '../api/api-error.ts';

/** The positions that something goes between; null where there is no neighbour. */
export interface Gap {
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * Where something goes among what has its (new) parent, in order; the thing itself is one of them when it stays with its
 * parent. Throws a 400 when the position names nothing there, and a 409 when nothing would change.
 */
export function chooseGap(
  siblings: readonly Sibling[],
  self: { readonly id: string; readonly isThere: boolean },
  position: Position = {},
): Gap {
  const others = siblings.filter((one) => one.id !== self.id);
  const left = position.after === undefined ? undefined : indexOf(others, position.after, 'after');
  const right = position.before === undefined ? undefined : indexOf(others, position.before, 'before');
  if (left !== undefined && right !== undefined && !follows(others, left, right)) {
    throw invalid('/body/position', 'names two that do not follow each other', 'position-invalid');
  }
  const isAsked = left !== undefined || right !== undefined;
  if (self.isThere && !isAsked) throw nothingToDo();
  const at = left !== undefined ? left + 1 : (right ?? others.length);
  if (self.isThere && isSame(siblings, others, self.id, at)) throw nothingToDo();
  return { before: others[at - 1]?.position ?? null, after: others[at]?.position ?? null };
}

function indexOf(
  others: readonly Sibling[],
  named: NonNullable<Position['before']>,
  field: 'before' | 'after',
): number {
  const id = named.type === 'space' ? named.space : named.collection;
  const index = others.findIndex((one) => one.id === id && one.type === named.type && !one.isDeleted);
  if (index === -1)
    throw invalid(`/body/position/${field}`, `names no ${named.type} that stands there`, 'position-invalid');
  return index;
}

/** What is deleted is in nobody's sight, so it does not count. */
function follows(others: readonly Sibling[], left: number, right: number): boolean {
  return left < right && others.slice(left + 1, right).every((one) => one.isDeleted);
}

function isSame(
  siblings: readonly Sibling[],
  others: readonly Sibling[],
  selfId: string,
  at: number,
): boolean {
  const was = siblings.findIndex((one) => one.id === selfId);
  return others.slice(Math.min(was, at), Math.max(was, at)).every((one) => one.isDeleted);
}

function nothingToDo(): ApiError {
  return new ApiError('nothing-to-change', 'It stands there already, so nothing would change.');
}
