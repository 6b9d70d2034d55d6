import { isDeepStrictEqual } from 'node:util';
import type { Changes } from '../../store/revisions.ts';

/** What has to be written so that the rows of one version become those of the next, by their keys. */
export function diffRows<Row extends object>(
  before: ReadonlyMap<string, Row>,
  after: ReadonlyMap<string, Row>,
): Changes<Row> {
  const ended: string[] = [];
  const begun: Row[] = [];
  for (const [key, row] of after) {
    const old = before.get(key);
    if (old !== undefined && isSame(old, row)) continue;
    if (old !== undefined) ended.push(key);
    begun.push(row);
  }
  for (const key of before.keys()) {
    if (!after.has(key)) ended.push(key);
  }
  return { ended, begun };
}

export function isEmpty({ ended, begun }: Changes<unknown>): boolean {
  return ended.length === 0 && begun.length === 0;
}

function isSame<Row extends object>(one: Row, other: Row): boolean {
  if (one === other) return true;
  for (const key of Object.keys(other) as (keyof Row)[]) {
    const [left, right] = [one[key], other[key]];
    if (left === right) continue;
    // Dates, and what is kept as JSON, whose keys the database puts in another order.
    if (typeof left !== 'object' || typeof right !== 'object' || !isDeepStrictEqual(left, right))
      return false;
  }
  return true;
}
