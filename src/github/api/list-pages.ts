import type { Db } from '../../store/index.ts';
import { type ConditionHeaders, readIfChanged } from './conditional-request.ts';

interface PageResponse<D> {
  readonly data: D;
  readonly headers: { readonly etag?: string | undefined; readonly link?: string | undefined };
}

export const PER_PAGE = 100;

/** 200,000 rows: more than any list that is read here has. */
const MAX_PAGES = 2_000;

/** Reads all rows of a paged list by conditional requests, or none. `key` identifies the list. */
export async function readAllPages<D, T>(
  db: Db,
  key: string,
  call: (page: number, headers: ConditionHeaders) => Promise<PageResponse<D>>,
  pick: (data: D) => readonly T[],
): Promise<readonly T[]> {
  const rows: T[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const read = await readIfChanged(
      db,
      `${key}?page=${page}`,
      (headers) => call(page, headers),
      ({ data, headers }) => ({ rows: pick(data), more: /rel="next"/.test(headers.link ?? '') }),
    );
    rows.push(...read.rows);
    if (!read.more) return rows;
  }
  throw new Error(`GitHub lists more than ${MAX_PAGES * PER_PAGE} rows of ${key}, which are not read.`);
}
