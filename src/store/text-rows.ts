import { type SQL, sql } from 'drizzle-orm';

/** A subquery with a row for each text, for `in`: one parameter, whatever their number. */
export function textRows(texts: readonly string[]): SQL<string> {
  return sql<string>`(select json_array_elements_text(${JSON.stringify(texts)}::json))`;
}
