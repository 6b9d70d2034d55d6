import { type SQL, sql } from 'drizzle-orm';

/**
 * An array of texts, for `=`: one parameter, whatever their number. The planner knows how many there are, which it guesses
 * of `textRows`; where each text selects many rows, it then reads an index instead of the whole table.
 */
export function anyText(texts: readonly string[]): SQL {
  return sql`any(${sql.param([...texts])}::text[])`;
}

/** A subquery with a row for each text, for `in`: one parameter, whatever their number. */
export function textRows(texts: readonly string[]): SQL<string> {
  return sql<string>`(select json_array_elements_text(${JSON.stringify(texts)}::json))`;
}
