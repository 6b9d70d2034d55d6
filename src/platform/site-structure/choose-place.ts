import type { PartPlace, PositionKey } from '../../store/index.ts';
import { ApiError, invalid } from '../api/api-error.ts';

/**
 * Chooses where a part of a site goes among the ordered children of its (new) parent; it is one of `siblings` itself if
 * its parent stays. Throws a 400 if the neighbours are not adjacent, and a 409 if nothing would change.
 */
export function choosePlace(
  siblings: readonly PositionKey[],
  selfId: string,
  { before, after }: { readonly before?: string | undefined; readonly after?: string | undefined },
): PartPlace {
  const neighbours = siblings.filter(({ id }) => id !== selfId);
  const left = after === undefined ? undefined : indexOf(neighbours, after, 'after');
  const right = before === undefined ? undefined : indexOf(neighbours, before, 'before');
  if (left !== undefined && right !== undefined && left + 1 !== right)
    throw invalid('/body/position', 'names two neighbours that are not adjacent', 'position-invalid');
  const at = left !== undefined ? left + 1 : (right ?? neighbours.length);
  if (siblings.findIndex(({ id }) => id === selfId) === at)
    throw new ApiError('nothing-to-change', 'It is already at this position, so nothing would change.');
  return { before: neighbours[at - 1]?.position ?? null, after: neighbours[at]?.position ?? null };
}

function indexOf(neighbours: readonly PositionKey[], id: string, field: 'before' | 'after'): number {
  const index = neighbours.findIndex((neighbour) => neighbour.id === id);
  if (index === -1)
    throw invalid(`/body/position/${field}`, 'is not a neighbour that it can have', 'position-invalid');
  return index;
}
