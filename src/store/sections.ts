import { inArray, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { toStorableText } from './insert-rows.ts';
import { isCorrectable } from './known-words.ts';
import { knownWords, sections } from './schema/content.ts';
import { textRows } from './text-rows.ts';

/** A section of a page, with the words by which search finds it. */
export interface NewSection {
  readonly setId: string;
  readonly ordinal: number;
  readonly anchor: string | null;
  readonly heading: string | null;
  readonly body: string;
  /** Of the page, in each section: so words of the title and of a text are found together. */
  readonly titleWords: string;
  readonly headingWords: string;
  readonly descriptionWords: string;
  readonly bodyWords: string;
  /** The page's title and the same texts as written, for stems; null where the language has none. */
  readonly title: string;
}

/** Which of the sets are stored; their `lastNeededAt` is renewed, so that none is deleted before a page points to it. */
export async function touchSections(db: Db, setIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (setIds.length === 0) return new Set();
  const rows = await db
    .update(sections)
    .set({ lastNeededAt: sql`now()` })
    .where(sql`${sections.ordinal} = 0 and ${inArray(sections.setId, textRows(setIds))}`)
    .returning({ setId: sections.setId });
  return new Set(rows.map((row) => row.setId));
}

/**
 * Inserts sections; existing ones stay. Words of titles weigh most, then headings, descriptions, texts. `language` is a
 * text search configuration. One statement, so pass some megabytes at most.
 */
export async function insertSections(db: Db, language: string, batch: readonly NewSection[]): Promise<void> {
  if (batch.length === 0) return;
  const rows = JSON.stringify(batch, (_key, value: unknown) =>
    typeof value === 'string' ? toStorableText(value) : value,
  );
  const stems =
    language === 'simple'
      ? sql``
      : sql`
        || setweight(to_tsvector(${language}::regconfig, title), 'A')
        || setweight(to_tsvector(${language}::regconfig, coalesce(heading, '')), 'B')
        || setweight(to_tsvector(${language}::regconfig, body), 'D')`;
  await db.execute(sql`
    with input as materialized (
      select * from json_to_recordset(${rows}::json) as input(
        "setId" text, ordinal int, anchor text, heading text, body text, title text,
        "titleWords" text, "headingWords" text, "descriptionWords" text, "bodyWords" text)),
    words as (
      insert into ${knownWords} (word)
      select distinct word
      from input, string_to_table(concat_ws(' ', "titleWords", "headingWords", "bodyWords"), ' ') as word
      where ${isCorrectable(sql`word`)}
      order by word
      on conflict do nothing)
    insert into ${sections} (set_id, ordinal, anchor, heading, body, words)
    select "setId", ordinal, anchor, heading, body,
      setweight(to_tsvector('simple', "titleWords"), 'A')
      || setweight(to_tsvector('simple', "headingWords"), 'B')
      || setweight(to_tsvector('simple', "descriptionWords"), 'C')
      || setweight(to_tsvector('simple', "bodyWords"), 'D') ${stems}
    from input
    order by 1, 2
    on conflict do nothing`);
}
