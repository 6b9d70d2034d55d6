import { isDeepStrictEqual } from 'node:util';
import type { Steps } from '../../content/engine/index.ts';
import type { Changes } from '../../store/index.ts';

/** The rows of a version, and the changes to write for it. */
export interface RowsDiff<Row> {
  /** By their keys; the previous map itself if nothing differs. */
  readonly rows: ReadonlyMap<string, Row>;
  readonly changes: Changes<Row>;
}

/**
 * Compares the rows of the next version with the previous ones, by their keys; of rows with the same key, the last one
 * counts. Rows that are the same object are not compared further.
 */
export function* diffRows<Row extends object>(
  before: ReadonlyMap<string, Row>,
  next: Iterable<Row>,
  keyOf: (row: Row) => string,
): Steps<RowsDiff<Row>> {
  const rows = new Map<string, Row>();
  for (const row of next) {
    rows.set(keyOf(row), row);
    yield 1;
  }
  const removed: string[] = [];
  const added: Row[] = [];
  let matched = 0;
  for (const [key, row] of rows) {
    yield 1;
    const old = before.get(key);
    if (old !== undefined) matched += 1;
    if (old !== undefined && isSameRow(old, row)) continue;
    if (old !== undefined) removed.push(key);
    added.push(row);
  }
  if (matched < before.size) {
    for (const key of before.keys()) if (!rows.has(key)) removed.push(key);
  }
  const changes = { removed, added };
  return { rows: isEmpty(changes) ? before : rows, changes };
}

export function isEmpty({ removed, added }: Changes<unknown>): boolean {
  return removed.length === 0 && added.length === 0;
}

/** Whether two rows have the same values. */
export function isSameRow<Row extends object>(a: Row, b: Row): boolean {
  if (a === b) return true;
  for (const key of Object.keys(b) as (keyof Row)[]) {
    const [left, right] = [a[key], b[key]];
    if (left === right) continue;
    // Dates, and values stored as JSON, whose keys the database reorders.
    if (typeof left !== 'object' || typeof right !== 'object' || !isDeepStrictEqual(left, right))
      return false;
  }
  return true;
}
