import Type from 'typebox';
import { type AnswerOf, type Operations, PageResource, type QueryOf } from '../../contract/index.ts';
import { listFiles, listPages, loadFile, loadFiles, loadPageTree, loadSettings } from '../../store/index.ts';
import { notFound } from '../api/api-error.ts';
import { limitOf, readCursor, toList } from '../api/cursor.ts';
import { SerializedAnswer } from '../api/handler.ts';
import { serializerOf } from '../api/serializer-of.ts';
import { loadMergedFrom } from '../change-requests/load-merged-from.ts';
import type { PlatformDeps } from '../deps.ts';
import { asWritten } from '../openapi/write-computed.ts';
import { evaluatePage } from './evaluate-page.ts';
import { findPageByPath } from './find-page-by-path.ts';
import {
  type Content,
  type ContentParams,
  type ContentRequest,
  locateContent,
  specsVersionOf,
  versionOf,
} from './locate-content.ts';
import { presentFile, presentPages, presentRevision } from './present-content.ts';
import type { Presentation } from './presentation.ts';
import { readBody, readDocument, textNotStored } from './read-body.ts';

type ContentQuery = QueryOf<Operations['getContent']>;

export async function readRevision(
  deps: PlatformDeps,
  input: ContentRequest<ContentParams, ContentQuery>,
): Promise<AnswerOf<Operations['getContent']>> {
  const view = await viewContent(deps, input);
  const mergedFrom = await loadMergedFrom(deps, input.caller, view);
  input.identify(`${versionOf(view)} ${view.specs} ${JSON.stringify(mergedFrom)}`);
  const [pages, files, settings] = await Promise.all([
    listPages(deps.db, view.revision),
    loadFiles(deps.db, view.revision),
    loadSettings(deps.db, view.revision),
  ]);
  return presentRevision({ pages, files, settings }, view, mergedFrom);
}

export async function readPages(
  deps: PlatformDeps,
  input: ContentRequest<ContentParams, ContentQuery>,
): Promise<AnswerOf<Operations['listPages']>> {
  const view = await openContent(deps, input);
  return { pages: presentPages(await listPages(deps.db, view.revision), view) };
}

export async function readPageById(
  deps: PlatformDeps,
  input: ContentRequest<ContentParams & { readonly pageId: string }, QueryOf<Operations['getPage']>>,
): Promise<PageResource> {
  const view = await openContent(deps, input);
  const rows = (await loadPageTree(deps.db, view.revision, input.params.pageId)).map(asWritten);
  const [row] = rows;
  const [page] = presentPages(rows, view);
  if (!row || !page) throw notFound('page with this id in this content');
  const { format, evaluated } = input.query;
  const body = await readBody(deps, view, { row, computed: view.computed });
  if (body === null) {
    if (format === undefined) return page;
    throw textNotStored();
  }
  const evaluate = (markdown: string) => evaluatePage(deps.db, view, { row, markdown, evaluated });
  if (format === 'markdown') {
    const markdown = await evaluate(body.markdown);
    // Values differ in length from what they replace, so the origins no longer apply.
    const isAsWritten = markdown === body.markdown;
    if (body.origins === undefined || !isAsWritten || !view.metadata) return { ...page, markdown };
    return { ...page, markdown, origins: [...body.origins] };
  }
  const isRequired = format === 'document';
  const document = await readDocument(deps, row, { content: view, body, isRequired, evaluate });
  if (document === null) return page;
  // A document may be megabytes: parsing and serializing it would block other requests.
  const rest = serializerOf(PageResource)(page);
  return new SerializedAnswer(`${rest.slice(0, -1)},"document":${document}}`) as never;
}

/** Like `readPageById`, by the page's current or former path. */
export async function readPageByPath(
  deps: PlatformDeps,
  input: ContentRequest<ContentParams & { readonly pagePath: string }, QueryOf<Operations['getPage']>>,
): Promise<PageResource> {
  const content = await locateContent(deps.db, input.caller, input.params);
  const pageId = await findPageByPath(deps.db, content, input.params.pagePath);
  if (pageId === null) throw notFound('page at this path in this content');
  // The same path may lead to another page of the same revision once a page has moved.
  const identify = (version: string) => input.identify(`${version} ${pageId}`);
  return await readPageById(deps, { ...input, identify, params: { ...input.params, pageId } });
}

const FileKey = Type.Tuple([Type.String({ maxLength: 64 }), Type.String(), Type.String({ maxLength: 64 })]);

export async function readFiles(
  deps: PlatformDeps,
  input: ContentRequest<ContentParams, QueryOf<Operations['listFiles']>>,
): Promise<AnswerOf<Operations['listFiles']>> {
  const key = readCursor('files', FileKey, input.query);
  const params = key ? { ...input.params, revisionId: key[0] } : input.params;
  const view = await openContent(deps, { ...input, params });
  const limit = limitOf(input.query);
  const after = key ? { gitPath: key[1], id: key[2] } : null;
  const found = await listFiles(deps.db, view.revision, { after, limit: limit + 1 });
  return toList(found, {
    list: 'files',
    limit,
    keyOf: (row) => [view.revision.id, row.gitPath, row.id],
    present: (row) => presentFile(row, view),
  });
}

export async function readFile(
  deps: PlatformDeps,
  input: ContentRequest<ContentParams & { readonly fileId: string }, ContentQuery>,
): Promise<AnswerOf<Operations['getFile']>> {
  const view = await openContent(deps, input);
  const row = await loadFile(deps.db, view.revision, input.params.fileId);
  if (!row) throw notFound('file with this id in this content');
  return presentFile(row, view);
}

type PartsQuery = { readonly metadata?: boolean; readonly computed?: boolean };

async function openContent(
  deps: PlatformDeps,
  input: ContentRequest<ContentParams, PartsQuery>,
): Promise<Presentation> {
  const view = await viewContent(deps, input);
  input.identify(`${versionOf(view)} ${view.specs}`);
  return view;
}

async function viewContent(
  deps: PlatformDeps,
  { caller, params, query }: Omit<ContentRequest<ContentParams, PartsQuery>, 'identify'>,
): Promise<Presentation> {
  const content: Content = await locateContent(deps.db, caller, params);
  const version = await specsVersionOf(deps.db, content);
  const { metadata = true, computed = true } = query;
  return { ...content, publicUrl: deps.publicUrl, metadata, computed, ...version };
}
