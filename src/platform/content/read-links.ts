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
  type PageRow,
  type RevisionCounts,
} from '../../store/index.ts';
import { notFound } from '../api/api-error.ts';
import { limitOf, type PagingQuery, readCursor, toList } from '../api/cursor.ts';
import type { PlatformDeps } from '../deps.ts';
import { partPaths } from './compose-row.ts';
import { isComputed, linksAfter, listComputedLinks } from './computed-links.ts';
import { loadReferences, loadSurroundings, type Surroundings } from './embed-references.ts';
import {
  type Content,
  type ContentParams,
  type ContentRequest,
  locateContent,
  specsVersionOf,
  versionOf,
} from './locate-content.ts';
import {
  countMissing,
  countOf,
  countsOfRevision,
  presentLink,
  presentStats,
  verdictsOf,
  withComputed,
} from './present-links.ts';
import type { Presentation } from './presentation.ts';

/** All pages of a list come from the revision of the first page, whatever was imported meanwhile. */
const Key = Type.Tuple([Type.String({ maxLength: 64 }), Type.String(), Type.Integer({ minimum: 0 })]);

type LinkQuery = QueryOf<Operations['listLinks']>;

/** The links of a page and of the files in its text, or of a whole revision when `pageId` is undefined. */
export async function readLinks(
  deps: PlatformDeps,
  input: ContentRequest<ContentParams & { readonly pageId?: string }, LinkQuery>,
): Promise<AnswerOf<Operations['listLinks']>> {
  const { db } = deps;
  const { content, surroundings, after, limit } = await openList(deps, 'links', input);
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
  const references = await loadReferences(deps, found.rows.slice(0, limit), { view: content, surroundings });
  return {
    ...toList(found, { ...keyed('links', content, limit), present: (row) => presentLink(row, references) }),
    stats: presentStats(counts, await countOwn(db, content, scope)),
  };
}

/** How many links a change request broke; 0 where no change request is requested. */
async function countOwn(
  db: Db,
  { space, revision, changeRequest }: Content,
  scope: LinkScope,
): Promise<number> {
  if (changeRequest === null || revision.id === changeRequest.row.baseRevisionId) return 0;
  const base = await loadRevision(db, space.id, changeRequest.row.baseRevisionId);
  return base === null ? 0 : await countIntroduced(db, scope, base);
}

/** The locations that link to a page. */
export async function readPageBacklinks(
  deps: PlatformDeps,
  input: ContentRequest<ContentParams & { readonly pageId: string }, PagingQuery>,
): Promise<AnswerOf<Operations['listPageBacklinks']>> {
  const { db } = deps;
  const { content, surroundings, after, limit } = await openList(deps, 'page-backlinks', input);
  await requirePage(db, content, input.params.pageId);
  const found = await listLinksToPage(db, scopeOf(content), input.params.pageId, {
    after,
    limit: limit + 1,
  });
  const references = await loadReferences(deps, found.rows.slice(0, limit), { view: content, surroundings });
  return toList(found, { ...keyed('page-backlinks', content, limit), present: references.location });
}

/** The locations that link to a file. */
export async function readFileBacklinks(
  deps: PlatformDeps,
  input: ContentRequest<ContentParams & { readonly fileId: string }, PagingQuery>,
): Promise<AnswerOf<Operations['listFileBacklinks']>> {
  const { db } = deps;
  const { content, surroundings, after, limit } = await openList(deps, 'file-backlinks', input);
  const file = await loadFile(db, content.revision, input.params.fileId);
  if (!file) throw notFound('file with this id in this content');
  const found = await listLinksToFile(db, scopeOf(content), file.id, { after, limit: limit + 1 });
  const references = await loadReferences(deps, found.rows.slice(0, limit), { view: content, surroundings });
  return toList(found, { ...keyed('file-backlinks', content, limit), present: references.location });
}

async function openList(
  deps: PlatformDeps,
  list: string,
  input: ContentRequest<ContentParams, PagingQuery>,
): Promise<{
  content: Presentation;
  surroundings: Surroundings;
  after: LinkLocation | null;
  limit: number;
}> {
  const { db, publicUrl } = deps;
  const key = readCursor(list, Key, input.query);
  const located = await locateContent(db, input.caller, {
    ...input.params,
    ...(key ? { revisionId: key[0] } : {}),
  });
  const version = await specsVersionOf(db, located);
  const content = { ...located, publicUrl, metadata: true, computed: true, ...version };
  const surroundings = await loadSurroundings(deps, input.caller, content);
  // The specification that a link names may be removed or added again while the content stays the same, and what the
  // references embed depends on the caller.
  input.identify(`${versionOf(content)} ${version.specs} ${JSON.stringify(surroundings)}`);
  return {
    content,
    surroundings,
    after: key ? { gitPath: key[1], ordinal: key[2] } : null,
    limit: limitOf(input.query),
  };
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
