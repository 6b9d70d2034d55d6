import Type from 'typebox';
import type { AnswerOf, Operations, QueryOf } from '../../contract/index.ts';
import {
  countIntroduced,
  countLinks,
  countLostSpecs,
  type Db,
  type LinkLocation,
  type LinkRow,
  type LinkScope,
  listLinks,
  listLinksToFile,
  listLinksToPage,
  loadFile,
  loadPage,
  loadRevision,
  loadSpecsVersion,
  type PageRow,
  type RevisionCounts,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { notFound } from '../api/api-error.ts';
import { limitOf, type PagingQuery, readCursor, toList } from '../api/cursor.ts';
import { partPaths } from './compose-row.ts';
import { isComputed, linksAfter, listComputedLinks } from './computed-links.ts';
import { type Content, type ContentParams, locateContent, versionOf } from './locate-content.ts';
import {
  countMissing,
  countOf,
  countsOfRevision,
  presentLink,
  presentLocation,
  presentStats,
  verdictsOf,
  withComputed,
} from './present-links.ts';

/** The input of the reads of links. */
interface Input<Params extends ContentParams, Query extends PagingQuery> {
  readonly caller: Caller;
  readonly params: Params;
  readonly query: Query;
  readonly identify: (version: string) => void;
}

/** All pages of a list come from the revision of the first page, whatever was imported meanwhile. */
const Key = Type.Tuple([Type.String({ maxLength: 64 }), Type.String(), Type.Integer({ minimum: 0 })]);

type LinkQuery = QueryOf<Operations['listLinks']>;

/** The links of a page and of the files in its text, or of a whole revision when `pageId` is undefined. */
export async function readLinks(
  db: Db,
  input: Input<ContentParams & { readonly pageId?: string }, LinkQuery>,
): Promise<AnswerOf<Operations['listLinks']>> {
  const { content, after, limit } = await openList(db, 'links', input);
  const { pageId = null } = input.params;
  const parts = pageId === null ? [] : partPaths(await requirePage(db, content, pageId));
  const scope = { ...scopeOf(content), pageId, parts };
  const verdicts = input.query.status === undefined ? null : verdictsOf[input.query.status];
  const stored = content.revision.counts as RevisionCounts;
  const hasComputed = (stored.specs ?? 0) > 0;
  const computed = hasComputed ? await listComputedLinks(db, content, pageId) : [];
  const counts =
    pageId === null
      ? countMissing(countsOfRevision(stored), computed, hasComputed ? await countLostSpecs(db, scope) : 0)
      : withComputed(await countLinks(db, scope), computed);
  const first = linksAfter(computed, after)
    .filter(({ status }) => verdicts === null || verdicts.includes(status))
    .slice(0, limit + 1);
  const rest = await listLinks(db, scope, {
    verdicts,
    after: after !== null && isComputed(after) ? null : after,
    limit: limit + 1 - first.length,
  });
  const found = { count: countOf(counts, input.query.status), rows: [...first, ...rest] };
  return {
    ...toList(found, { ...keyed('links', content, limit), present: (row) => presentLink(row, content) }),
    stats: presentStats(counts, await countOwn(db, content, scope)),
  };
}

/** How many links a change request broke; 0 where no change request is requested. */
async function countOwn(
  db: Db,
  { space, revision, changeRequest }: Content,
  scope: LinkScope,
): Promise<number> {
  if (changeRequest === null || revision.id === changeRequest.baseRevisionId) return 0;
  const base = await loadRevision(db, space.id, changeRequest.baseRevisionId);
  return base === null ? 0 : await countIntroduced(db, scope, base);
}

/** The locations that link to a page. */
export async function readPageBacklinks(
  db: Db,
  input: Input<ContentParams & { readonly pageId: string }, PagingQuery>,
): Promise<AnswerOf<Operations['listPageBacklinks']>> {
  const { content, after, limit } = await openList(db, 'page-backlinks', input);
  await requirePage(db, content, input.params.pageId);
  const found = await listLinksToPage(db, scopeOf(content), input.params.pageId, {
    after,
    limit: limit + 1,
  });
  return toList(found, {
    ...keyed('page-backlinks', content, limit),
    present: (row) => presentLocation(row, content),
  });
}

/** The locations that link to a file. */
export async function readFileBacklinks(
  db: Db,
  input: Input<ContentParams & { readonly fileId: string }, PagingQuery>,
): Promise<AnswerOf<Operations['listFileBacklinks']>> {
  const { content, after, limit } = await openList(db, 'file-backlinks', input);
  const file = await loadFile(db, content.revision, input.params.fileId);
  if (!file) throw notFound('file with this id in this content');
  const found = await listLinksToFile(db, scopeOf(content), file.id, { after, limit: limit + 1 });
  return toList(found, {
    ...keyed('file-backlinks', content, limit),
    present: (row) => presentLocation(row, content),
  });
}

async function openList(
  db: Db,
  list: string,
  input: Input<ContentParams, PagingQuery>,
): Promise<{ content: Content; after: LinkLocation | null; limit: number }> {
  const key = readCursor(list, Key, input.query);
  const content = await locateContent(db, input.caller, {
    ...input.params,
    ...(key ? { revisionId: key[0] } : {}),
  });
  // The specification that a link names may be removed or added again while the content stays the same.
  input.identify(`${versionOf(content)} ${await loadSpecsVersion(db, content.space.organizationId)}`);
  return { content, after: key ? { gitPath: key[1], ordinal: key[2] } : null, limit: limitOf(input.query) };
}

function keyed(list: string, content: Content, limit: number) {
  return { list, limit, keyOf: (row: LinkRow) => [content.revision.id, row.gitPath, row.ordinal] };
}

function scopeOf({ space, revision }: Content) {
  return { spaceId: space.id, at: revision, organizationId: space.organizationId };
}

async function requirePage(db: Db, content: Content, pageId: string): Promise<PageRow> {
  const page = await loadPage(db, content.revision, pageId);
  if (page === null) throw notFound('page with this id in this content');
  return page;
}
