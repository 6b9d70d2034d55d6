import Type from 'typebox';
import type { AgeKey } from '../../store/index.ts';
import { type PagingQuery, readCursor } from './cursor.ts';

const Key = Type.Tuple([Type.String({ format: 'date-time' }), Type.String({ maxLength: 64 })]);

/** The position at which a list that is ordered by age continues; null for its start. */
export function readAgeCursor(list: string, query: PagingQuery): AgeKey | null {
  const key = readCursor(list, Key, query);
  return key ? { createdAt: new Date(key[0]), id: key[1] } : null;
}

export function ageKeyOf(row: AgeKey): [string, string] {
  return [row.createdAt.toISOString(), row.id];
}
