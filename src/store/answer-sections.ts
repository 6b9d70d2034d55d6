/** Sections for questions: those that have any of the words, with where in them the words are. */
import { type SQL, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { pages, sections } from './schema/content.ts';
import { isSearchedPage, type SearchScope, versionColumns, versionRows } from './search.ts';

/** Sections of which it is known how many have a word; of more, no word tells them apart. */
const MAX_MATCHING = 5_000;
/** The same, of those that have a word in a title or heading: few do, and they must not be left out. */
const MAX_TITLED = 2_000;
/** Sections that are ranked by where the words are. */
const MAX_RANKED = 400;

/** A word and the forms under which sections have it. */
export interface WordForms {
  readonly word: string;
  /** Of the index; empty for a word that says nothing in its language. */
  readonly lexemes: readonly string[];
  /** What further forms begin with, where the index has no stems; null for none. */
  readonly prefix: string | null;
}

/** Where a section has the forms of a word. */
export interface Occurrence {
  readonly lexeme: string;
  readonly positions: readonly number[];
  /** `A` the title of its page, `B` its heading, `C` the description, `D` its text; one for each position. */
  readonly weights: readonly string[];
}

export interface RankableSection {
  readonly spaceId: string;
  readonly pageId: string;
  readonly title: string;
  readonly path: string;
  readonly ordinal: number;
  readonly heading: string | null;
  readonly length: number;
  readonly occurrences: readonly Occurrence[];
}

export interface MatchingSections {
  /** Of the contents, whether they match or not. */
  readonly total: number;
  /** In UTF-16 code units, of all. */
  readonly averageLength: number;
  /** How many have each of the words. */
  readonly counts: readonly number[];
  readonly sections: readonly RankableSection[];
}

/** A shorter stem begins too many words. */
const MIN_PREFIX = 4;

/**
 * The forms of words; those that say nothing in their language have none.
 *
 * @param index the text search configuration of the contents. `language` is that of the words: another one only where the
 *   language of the contents is not known, and their index has no stems.
 */
export async function listWordForms(
  db: Db,
  { index, language }: { readonly index: string; readonly language: string },
  words: readonly string[],
): Promise<readonly WordForms[]> {
  if (words.length === 0) return [];
  const values = words.map((word, at) => sql`(${at}::int, ${word}::text)`);
  const { rows } = await db.execute<{ nth: number; plain: string[]; stems: string[] }>(sql`
    select nth, tsvector_to_array(to_tsvector('simple', word)) as plain,
      tsvector_to_array(to_tsvector(${language}::regconfig, word)) as stems
    from (values ${sql.join(values, sql`, `)}) as words(nth, word)`);
  const byPlace = new Map(rows.map((row) => [row.nth, row]));
  return words.map((word, at) => {
    const { plain = [], stems = [] } = byPlace.get(at) ?? {};
    if (stems.length === 0) return { word, lexemes: [], prefix: null };
    if (index === language) return { word, lexemes: [...new Set([...plain, ...stems])], prefix: null };
    const [stem = ''] = stems;
    return { word, lexemes: plain, prefix: stem.length >= MIN_PREFIX && !/\d/.test(stem) ? stem : null };
  });
}

/** Whether a word of the index is a form of a word. */
export function isFormOf(lexeme: string, { lexemes, prefix }: WordForms): boolean {
  return lexemes.includes(lexeme) || (prefix !== null && lexeme.startsWith(prefix));
}

/** The sections of contents in one language that have any of the words; those with the most and rarest words are ranked. */
export async function findMatchingSections(
  db: Db,
  scopes: readonly SearchScope[],
  words: readonly WordForms[],
): Promise<MatchingSections> {
  const asked = words.flatMap((forms, nth) => (forms.lexemes.length === 0 ? [] : [{ nth, ...forms }]));
  if (scopes.length === 0 || asked.length === 0)
    return { total: 0, averageLength: 1, counts: words.map(() => 0), sections: [] };
  const versions = versionRows(scopes);
  const queries = sql.join(
    asked.map(({ nth, ...forms }) => sql`(${nth}::int, ${toAnyQuery([forms])})`),
    sql`, `,
  );
  const any = toAnyQuery(asked);
  const isAsked = sql.join(
    [
      sql`lexeme in (${sql.join(
        [...new Set(asked.flatMap(({ lexemes }) => lexemes))].map((lexeme) => sql`${lexeme}`),
        sql`, `,
      )})`,
      ...asked.flatMap(({ prefix }) => (prefix === null ? [] : [sql`starts_with(lexeme, ${prefix})`])),
    ],
    sql` or `,
  );
  const inVersion = sql`
    from v join ${pages} p on ${isSearchedPage(versions)}
    join ${sections} s on s.set_id = p.sections_id`;
  const columns = sql`v.space_id, p.id as page_id, p.title, p.path, s.set_id, s.ordinal, s.heading, length(s.body) as length, s.words`;
  const { rows } = await db.execute<{
    total: number;
    average: number;
    counts: Record<string, number> | null;
    found:
      | {
          space: string;
          page: string;
          title: string;
          path: string;
          ordinal: number;
          heading: string | null;
          length: number;
          at: [string, number[], string[]][];
        }[]
      | null;
  }>(sql`
    with ${versionColumns(versions)} as (${versions.rows}),
      terms(nth, query) as (values ${queries}),
      found as materialized (
        select distinct on (space_id, page_id, ordinal) * from (
          (select ${columns} ${inVersion} where ts_filter(s.words, '{a,b}') @@ ${any} and s.words @@ ${any} limit ${MAX_TITLED})
          union all
          (select ${columns} ${inVersion} where s.words @@ ${any} limit ${MAX_MATCHING})) as matching),
      size as (select count(*)::int as total, coalesce(avg(length(s.body)), 1)::float8 as average ${inVersion}),
      counts as (select nth, count(*)::int as n from found join terms on found.words @@ query group by nth),
      best as (
        select found.*, (
          select coalesce(sum(ln(1 + size.total::float8 / counts.n)), 0) from terms join counts using (nth), size
          where found.words @@ query) as weight
        from found order by weight desc, path collate "C", ordinal limit ${MAX_RANKED})
    select total, average, (select json_object_agg(nth, n) from counts) as counts, (
      select json_agg(json_build_object(
        'space', space_id, 'page', page_id, 'title', title, 'path', path, 'ordinal', ordinal, 'heading', heading,
        'length', length, 'at', (
          select json_agg(json_build_array(lexeme, positions, weights))
          from unnest(words) where ${isAsked})))
      from best) as found
    from size`);
  const [row] = rows;
  return {
    total: row?.total ?? 0,
    averageLength: Math.max(1, row?.average ?? 1),
    counts: words.map((_word, nth) => row?.counts?.[nth] ?? 0),
    sections: (row?.found ?? []).map(({ space, page, at, ...section }) => ({
      ...section,
      spaceId: space,
      pageId: page,
      occurrences: (at ?? []).map(([lexeme, positions, weights]) => ({
        lexeme,
        positions: positions ?? [],
        weights: weights ?? [],
      })),
    })),
  };
}

/** What is shown of a section. */
export interface SectionText {
  readonly spaceId: string;
  readonly pageId: string;
  readonly ordinal: number;
  readonly title: string;
  readonly path: string;
  readonly anchor: string | null;
  readonly heading: string | null;
  readonly body: string;
}

/** Sections of a version by page and place. */
export async function loadSectionTexts(
  db: Db,
  { spaceId, historyId, version }: SearchScope,
  wanted: readonly { readonly pageId: string; readonly ordinal: number }[],
): Promise<readonly SectionText[]> {
  if (wanted.length === 0) return [];
  const keys = sql.join(
    wanted.map(({ pageId, ordinal }) => sql`(${pageId}::text, ${ordinal}::int)`),
    sql`, `,
  );
  const { rows } = await db.execute<Omit<SectionText, 'spaceId'> & Record<string, unknown>>(sql`
    select p.id as "pageId", s.ordinal, p.title, p.path, s.anchor, s.heading, s.body
    from (values ${keys}) as wanted(id, ordinal)
    join ${pages} p on p.id = wanted.id and p.history_id = ${historyId} and p.since <= ${version} and p.until > ${version}
    join ${sections} s on s.set_id = p.sections_id and s.ordinal = wanted.ordinal`);
  return rows.map((row) => ({ ...row, spaceId }));
}

function toAnyQuery(words: readonly Pick<WordForms, 'lexemes' | 'prefix'>[]): SQL {
  const quote = (lexeme: string) => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
  const parts = words.flatMap(({ lexemes, prefix }) => [
    ...lexemes.map(quote),
    ...(prefix === null ? [] : [`${quote(prefix)}:*`]),
  ]);
  return sql`${[...new Set(parts)].join(' | ')}::tsquery`;
}
