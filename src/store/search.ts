import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { pages, revisions, sections } from './schema/content.ts';
import { spaces } from './schema/platform.ts';
import { isSelected, type SpaceSelection } from './space-selection.ts';
import { anyText } from './text-rows.ts';
import type { Version } from './versions.ts';

/** A condition on sections: see SearchTerm of the content engine. */
export interface TermCondition {
  readonly condition: string;
  readonly text: string | null;
  readonly isExcluded: boolean;
}

/** The terms and how they match: sections with all of them, with any of them, or with their text inside words. */
export interface TextSearch {
  readonly terms: readonly TermCondition[];
  readonly mode: 'all' | 'any' | 'inside';
}

/** Pages by the first folder of their addresses: those of these folders, or all others. */
export interface FolderChoice {
  readonly names: readonly string[];
  readonly isExcluding: boolean;
}

/** The content of a space, as readers see it. */
export interface SearchScope extends Version {
  readonly spaceId: string;
  /** A text search configuration. */
  readonly language: string;
  /** Only these pages; all when null or absent. */
  readonly folders?: FolderChoice | null;
}

/**
 * The spaces of an organization, whose content is searched as readers see it. They are a condition rather than a list, since
 * there may be very many.
 */
export interface OrganizationScope {
  readonly organizationId: string;
  /** Only these; all when null. */
  readonly selection: SpaceSelection | null;
  /** The languages of spaces by the text search configuration that is used for them; null for spaces without a language. */
  readonly languages: ReadonlyMap<string, readonly (string | null)[]>;
}

/** A page that matches. */
export interface PageHit {
  readonly spaceId: string;
  readonly pageId: string;
  /** Higher is better; the same for the same search in the same version. */
  readonly score: number;
}

/** The position of a hit in the order of results. */
export interface HitPosition {
  readonly score: number;
  readonly id: string;
}

interface Range {
  readonly after: HitPosition | null;
  readonly limit: number;
}

/** The number of matching pages of a version, and those after `after`, the best first. */
export async function searchPages(
  db: Db,
  scope: SearchScope,
  search: TextSearch,
  { after, limit }: Range,
): Promise<{ readonly count: number; readonly rows: readonly PageHit[] }> {
  const { rows } = await db.execute<{ total: number; page_id: string | null; score: number }>(sql`
    with found as materialized (${matchingPages(versionsOf([scope]), search, null)}),
      total as (select count(*)::int as total from found)
    select total, best.page_id, best.score from total left join lateral (
      select page_id, score from found
      where ${isAfter(after, { order: pageOrder, id: sql`page_id`, source: sql`found` })}
      order by score desc, ${pageOrder} limit ${limit}) best on true`);
  return {
    count: rows[0]?.total ?? 0,
    rows: rows.flatMap(({ page_id, score }) =>
      page_id === null ? [] : [{ spaceId: scope.spaceId, pageId: page_id, score }],
    ),
  };
}

interface SpacesRange extends Range {
  readonly perSpace: number;
  /**
   * Of the sections that match in a title or heading, and of all that match, at most so many are ranked, in no order: more
   * have a word that says too little to tell them apart. Null for all, which lists that go on need.
   */
  readonly candidates?: number | null;
}

/** How many of the spaces have matching pages, and the spaces after `after` with up to `perSpace` pages each. */
export async function searchSpaces(
  db: Db,
  scope: readonly SearchScope[] | OrganizationScope,
  search: TextSearch,
  { after, limit, perSpace, candidates = null }: SpacesRange,
): Promise<{
  readonly count: number;
  readonly rows: readonly (HitPosition & { readonly pages: readonly PageHit[] })[];
}> {
  const versions = 'organizationId' in scope ? versionsIn(scope) : versionsOf(scope);
  if (versions.length === 0) return { count: 0, rows: [] };
  const { rows } = await db.execute<{
    total: number;
    space_id: string | null;
    best: number;
    page_id: string;
    score: number;
  }>(sql`
    with found as materialized (${matchingPages(versions, search, candidates)}),
      spaces_found as (
        select space_id, position, score from (select space_id, max(score) as score from found group by 1) best
        join ${spaces} on ${spaces.id} = space_id),
      total as (select count(*)::int as total from spaces_found),
      shown as (
        select space_id, position, score from spaces_found
        where ${isAfter(after, { order: spaceOrder, id: sql`space_id`, source: sql`spaces_found` })}
        order by score desc, ${spaceOrder} limit ${limit})
    select total, hit.space_id, hit.best, hit.page_id, hit.score from total left join (
      select shown.space_id, shown.position, shown.score as best, hits.* from shown cross join lateral (
        select page_id, score, untitled, path from found where found.space_id = shown.space_id
        order by score desc, ${pageOrder} limit ${perSpace}) hits) hit on true
    order by hit.best desc, ${spaceOrder}, hit.score desc, ${pageOrder}`);
  const hits = new Map<string, { score: number; id: string; pages: PageHit[] }>();
  for (const { space_id: id, best, page_id: pageId, score } of rows) {
    if (id === null) continue;
    const space = hits.get(id) ?? { score: best, id, pages: [] };
    space.pages.push({ spaceId: id, pageId, score });
    hits.set(id, space);
  }
  return { count: rows[0]?.total ?? 0, rows: [...hits.values()] };
}

/** A matching page with its matching sections; with its first section when only the title matches. */
export interface FoundPage {
  readonly id: string;
  readonly title: string;
  readonly path: string;
  readonly sections: readonly FoundSection[];
}

export interface FoundSection {
  readonly anchor: string | null;
  readonly heading: string | null;
  readonly body: string;
}

/** Matching pages of a version for display, by their ids, each with up to `perPage` sections. */
export async function loadFoundPages(
  db: Db,
  scope: SearchScope,
  search: TextSearch,
  pageIds: readonly string[],
  perPage: number,
): Promise<ReadonlyMap<string, FoundPage>> {
  if (pageIds.length === 0) return new Map();
  const matches =
    search.mode === 'inside'
      ? isInside(search)
      : sql`(s.words @@ ${toQuery(search, scope.language)}
          and ts_filter(s.words, '{b,c,d}') @@ ${toQuery({ ...search, mode: 'any' }, scope.language)})`;
  const rank =
    search.mode === 'inside' ? sql`0` : sql`ts_rank(s.words, ${toQuery(search, scope.language)}, 1)`;
  const { rows } = await db.execute<{
    id: string;
    title: string;
    path: string;
    anchor: string | null;
    heading: string | null;
    body: string;
  }>(sql`
    select id, title, path, anchor, heading, body from (
      select p.id, p.title, p.path, s.anchor, s.heading, s.body, s.ordinal,
        row_number() over (partition by p.id order by (${matches}) desc, ${rank} desc, s.ordinal) as nth, ${matches} as matches
      from ${pages} p join ${sections} s on s.set_id = p.sections_id
      where ${isInVersion(scope)} and p.id = ${anyText(pageIds)}) as ranked
    where nth = 1 or (matches and nth <= ${perPage})
    order by nth`);
  return new Map(
    [...Map.groupBy(rows, (row) => row.id)].map(([id, [first, ...rest]]) => {
      const { title = '', path = '' } = first ?? {};
      return [id, { id, title, path, sections: first ? [first, ...rest] : [] }];
    }),
  );
}

/** The titles above pages of a version, from the top down, by the ids of the pages. */
export async function loadAncestorTitles(
  db: Db,
  version: Version,
  pageIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (pageIds.length === 0) return new Map();
  // Without the offset, the database would read all pages of the version for each step up.
  const { rows } = await db.execute<{ leaf: string; title: string }>(sql`
    with recursive above(leaf, id, title, depth) as (
      select p.id, p.parent_id, null, 0 from ${pages} p
      where ${isInVersion(version)} and p.id = ${anyText(pageIds)}
      union all
      select leaf, parent.parent_id, parent.title, depth + 1 from above cross join lateral (
        select p.parent_id, p.title from ${pages} p where ${isInVersion(version)} and p.id = above.id offset 0) parent
      where depth < 64)
    select leaf, title from above where depth > 0 order by depth desc`);
  const titles = Map.groupBy(rows, (row) => row.leaf);
  return new Map([...titles].map(([id, above]) => [id, above.map(({ title }) => title)]));
}

function isInVersion({ historyId, version }: Version): SQL {
  return sql`(p.history_id = ${historyId} and p.since <= ${version} and p.until > ${version})`;
}

/** Which of the terms occur in the versions, as numbers of their places. */
export async function findOccurring(
  db: Db,
  scopes: readonly SearchScope[],
  terms: readonly TermCondition[],
): Promise<ReadonlySet<number>> {
  if (scopes.length === 0 || terms.length === 0) return new Set();
  const parts = [...Map.groupBy(scopes, (scope) => scope.language)].flatMap(([language, group]) => {
    const versions = sql.join(
      group.map(({ historyId, version }) => sql`(${historyId}::text, ${version}::int)`),
      sql`, `,
    );
    // The database decides for each term whether it finds one section sooner by the index or by reading on until it meets
    // one. Without the offset, it might look at every page first.
    return terms.map(
      (term, at) => sql`
        select ${at}::int as nth where exists (
          select from (
            select set_id from ${sections}
            where words @@ ${toQuery({ terms: [term], mode: 'all' }, language)} offset 0) s
          join ${pages} p on p.sections_id = s.set_id
          join (values ${versions}) as v(history_id, version)
            on p.history_id = v.history_id and p.since <= v.version and p.until > v.version)`,
    );
  });
  const { rows } = await db.execute<{ nth: number }>(sql.join(parts, sql` union `));
  return new Set(rows.map(({ nth }) => nth));
}

/** Versions that are searched with the same text search configuration. */
interface Versions {
  readonly language: string;
  /** A query for their spaces, histories and numbers, as named by {@link versionColumns}. */
  readonly rows: SQL;
  /** Whether only some of their pages are searched. */
  readonly isPartial: boolean;
}

function versionsOf(scopes: readonly SearchScope[]): readonly Versions[] {
  return [...Map.groupBy(scopes, (scope) => scope.language)].map(([language, group]) => ({
    language,
    ...versionRows(group),
  }));
}

/** Rows of versions, with which of their pages are searched where that is not all of them. */
export function versionRows(scopes: readonly SearchScope[]): Pick<Versions, 'rows' | 'isPartial'> {
  const isPartial = scopes.some(({ folders }) => folders != null);
  const values = scopes.map(({ spaceId, historyId, version, folders }) => {
    const choice = isPartial
      ? sql`, ${folders?.names.join('/') ?? null}::text, ${folders?.isExcluding ?? false}::boolean`
      : sql``;
    return sql`(${spaceId}::text, ${historyId}::text, ${version}::int${choice})`;
  });
  return { rows: sql`values ${sql.join(values, sql`, `)}`, isPartial };
}

export function versionColumns({ isPartial }: Pick<Versions, 'isPartial'>): SQL {
  return isPartial
    ? sql`v(space_id, history_id, version, folders, is_excluding)`
    : sql`v(space_id, history_id, version)`;
}

/** Whether the page `p` is one of those of the version `v` that are searched. */
export function isSearchedPage({ isPartial }: Pick<Versions, 'isPartial'>): SQL {
  const isInFolder = sql`split_part(p.path, '/', 1) = any(string_to_array(v.folders, '/'))`;
  return sql`p.history_id = v.history_id and p.since <= v.version and p.until > v.version
    ${isPartial ? sql`and (v.folders is null or (${isInFolder}) <> v.is_excluding)` : sql``}`;
}

function versionsIn({ organizationId, selection, languages }: OrganizationScope): readonly Versions[] {
  return [...languages].map(([language, codes]) => ({
    language,
    rows: sql`select ${spaces.id}, ${revisions.historyId}, ${revisions.version}
      from ${spaces} join ${revisions} on ${revisions.id} = ${spaces.revisionId}
      where ${and(
        eq(spaces.organizationId, organizationId),
        isNull(spaces.deletedAt),
        isSelected(selection),
        // Spaces without a language, which is null, have no code that is empty.
        languages.size === 1
          ? undefined
          : sql`coalesce(${spaces.language}, '') = ${anyText(codes.map((code) => code ?? ''))}`,
      )}`,
    isPartial: false,
  }));
}

/** Selects the matching pages of the versions, each with its score; see {@link SpacesRange} for `candidates`. */
function matchingPages(versions: readonly Versions[], search: TextSearch, candidates: number | null): SQL {
  const parts = versions.map(({ language, ...some }) => {
    const query = toQuery(search, language);
    const isTitled =
      search.mode === 'inside'
        ? isInside(search, [sql`p.title`])
        : // Each section has the words of its page's title, so the first one is enough.
          sql`(s.ordinal = 0 and ts_filter(s.words, '{a}') @@ ${query})`;
    const score =
      search.mode === 'inside' ? sql`1.0 / (10 + length(s.body))` : sql`ts_rank(s.words, ${query}, 1)`;
    const sectionsWhere = (isFound: SQL, range: SQL) => sql`
      (select v.space_id, p.id as page_id, p.path, ${isTitled} as titled, ${score} as score
      from (${some.rows}) as ${versionColumns(some)}
      join ${pages} p on ${isSearchedPage(some)}
      join ${sections} s on s.set_id = p.sections_id
      where ${isFound} ${range})`;
    const isFound = search.mode === 'inside' ? isInside(search) : sql`s.words @@ ${query}`;
    // Without a limit or offset, the database would group the words of all matching sections before it ranks them.
    const matching =
      candidates === null || search.mode === 'inside'
        ? sectionsWhere(isFound, sql`offset 0`)
        : withTitled(sectionsWhere(isFound, sql`limit ${candidates}`), {
            titled: sectionsWhere(
              sql`ts_filter(s.words, '{a,b}') @@ ${query} and s.words @@ ${query}`,
              sql`limit ${candidates}`,
            ),
            candidates,
          });
    return sql`
      (select space_id, page_id, path, not bool_or(titled) as untitled, round(max(score) * 1000000)::int as score
      from (${matching}) matching
      group by 1, 2, 3)`;
  });
  return sql.join(parts, sql` union all `);
}

/** Adds those that match in a title or heading where there are too many to rank all of them; else they are among them. */
function withTitled(
  ranked: SQL,
  { titled, candidates }: { readonly titled: SQL; readonly candidates: number },
): SQL {
  return sql`
    with ranked as materialized ${ranked}
    select * from ranked
    union all (select * from ${titled} as titled where (select count(*) from ranked) >= ${candidates})`;
}

/** The `tsquery` of a search; one that matches nothing where all terms are excluded. */
function toQuery({ terms, mode }: TextSearch, language: string): SQL {
  const queries = terms.map(({ condition, text, isExcluded }) => {
    const plain = sql`to_tsquery('simple', ${condition})`;
    const stemmed =
      text === null || language === 'simple'
        ? plain
        : sql`(${plain} || plainto_tsquery(${language}::regconfig, ${text}))`;
    return { isExcluded, query: stemmed };
  });
  const included = queries.flatMap(({ isExcluded, query }) => (isExcluded ? [] : [query]));
  const excluded = queries.flatMap(({ isExcluded, query }) => (isExcluded ? [sql`!! (${query})`] : []));
  if (included.length === 0) return sql`''::tsquery`;
  const query = sql`(${sql.join(included, mode === 'any' ? sql` || ` : sql` && `)})`;
  return sql`(${sql.join([query, ...excluded], sql` && `)})`;
}

/** Whether one of the columns contains the text of each term. */
function isInside(
  { terms }: TextSearch,
  columns: readonly SQL[] = [sql`s.body`, sql`s.heading`, sql`p.title`],
): SQL {
  const texts = terms.flatMap(({ text, isExcluded }) => (text === null || isExcluded ? [] : [text]));
  if (texts.length === 0) return sql`false`;
  const conditions = texts.map((text) => {
    const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
    return sql`(${sql.join(
      columns.map((column) => sql`${column} ilike ${pattern}`),
      sql` or `,
    )})`;
  });
  return sql`(${sql.join(conditions, sql` and `)})`;
}

/** Hits with equal scores: those whose title matches first, then by address. */
const pageOrder = sql`untitled, path collate "C", page_id`;
/** Spaces with equal scores: in the order of their organization. */
const spaceOrder = sql`position, space_id`;

/** Whether a hit of `source` comes after a position; true where that is null. */
function isAfter(
  after: HitPosition | null,
  { order, id, source }: { readonly order: SQL; readonly id: SQL; readonly source: SQL },
): SQL {
  if (after === null) return sql`true`;
  const before = sql`select ${order} from ${source} where ${id} = ${after.id}`;
  return sql`(score < ${after.score} or (score = ${after.score} and (${order}) > (${before})))`;
}
