import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Static, TSchema } from 'typebox';
import Value from 'typebox/value';
import { defaultLimit } from '../../contract/index.ts';
import { invalid } from './api-error.ts';

/** The paging parameters of every list. */
export interface PagingQuery {
  readonly page?: string;
  readonly limit?: number;
}

export function limitOf(query: PagingQuery): number {
  return query.limit ?? defaultLimit;
}

/** Above it a cursor is compressed, so that one with a long path fits into an address. */
const MAX_PLAIN = 1_000;
const COMPRESSED = '.';
/** Longer than the JSON of any path that a database holds. */
const MAX_JSON = 64 * 1024;

/** The position at which a list continues, as an opaque text. */
export function writeCursor(list: string, key: unknown): string {
  const json = Buffer.from(JSON.stringify([list, key]));
  if (json.length <= MAX_PLAIN) return json.toString('base64url');
  return `${COMPRESSED}${deflateRawSync(json).toString('base64url')}`;
}

/** Reads a cursor of this list; throws a 400 for any other text. Null without a cursor, for the start of the list. */
export function readCursor<Key extends TSchema>(
  list: string,
  key: Key,
  query: PagingQuery,
): Static<Key> | null {
  if (query.page === undefined) return null;
  const parsed = parse(query.page);
  if (Array.isArray(parsed) && parsed[0] === list && Value.Check(key, parsed[1])) return parsed[1];
  throw invalid('/query/page', 'is not a page of this list; start again without it');
}

function parse(text: string): unknown {
  try {
    const bytes = Buffer.from(text.replace(COMPRESSED, ''), 'base64url');
    const json = text.startsWith(COMPRESSED) ? inflateRawSync(bytes, { maxOutputLength: MAX_JSON }) : bytes;
    return JSON.parse(json.toString('utf8'));
  } catch {
    return null;
  }
}

/**
 * The envelope of a list, from up to `limit + 1` rows: the extra row shows that there is a further page.
 */
export function toList<Row, Item>(
  found: { readonly count: number; readonly rows: readonly Row[] },
  options: {
    readonly list: string;
    readonly limit: number;
    readonly keyOf: (row: Row) => unknown;
    readonly present: (row: Row) => Item;
  },
): { count: number; items: Item[]; next?: { page: string } } {
  const rows = found.rows.slice(0, options.limit);
  const last = rows.at(-1);
  return {
    count: found.count,
    items: rows.map(options.present),
    ...(found.rows.length > options.limit && last !== undefined
      ? { next: { page: writeCursor(options.list, options.keyOf(last)) } }
      : {}),
  };
}
