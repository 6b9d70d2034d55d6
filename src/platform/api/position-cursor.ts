import Type from 'typebox';
import type { PositionKey } from '../../store/index.ts';
import { type PagingQuery, readCursor } from './cursor.ts';

const Key = Type.Tuple([
  Type.String({ pattern: '^-?[0-9]{1,60}(\\.[0-9]{1,200})?$' }),
  Type.String({ maxLength: 64 }),
]);

/** The position at which a list that is ordered by position continues; null for its start. */
export function readPositionCursor(list: string, query: PagingQuery): PositionKey | null {
  const key = readCursor(list, Key, query);
  return key ? { position: key[0], id: key[1] } : null;
}

export function positionKeyOf(row: PositionKey): [string, string] {
  return [row.position, row.id];
}
