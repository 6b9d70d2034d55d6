import { indexTargets, type TextOrigin } from '../../content/render/index.ts';
import { type Db, type LinkRow, type LinkScope, listLinks, type PageRow } from '../../store/index.ts';
import { contentThreads, PageLimitError } from '../../threads/index.ts';
import { ApiError, invalid } from '../api/api-error.ts';
import type { PlatformDeps } from '../deps.ts';
import { computedSpec, writeComputed } from '../openapi/write-computed.ts';
import { createStoredReader, readIncluded } from '../revisions/read-stored.ts';
import { composeRow, partOids, partPaths } from './compose-row.ts';
import type { Content } from './locate-content.ts';
import { presentTarget } from './present-links.ts';

/** Links of one page that are resolved for its text; the targets of further links stay as written. */
const MAX_LINKS = 20_000;

/** Links that are read at once, in some milliseconds. */
const LINKS_PER_QUERY = 4_000;

/** Bytes of the included files that are read for the text of one page; what exceeds it is not shown. */
export const MAX_PART_BYTES = 16 * 1024 * 1024;

/**
 * The file's text as it is in the repository, front matter included; empty for an entry without a file, null for a file
 * that was too large to be fetched, or was lost for good.
 *
 * @throws {ApiError} `unavailable` when its bytes were lost, and may be fetched again
 */
export async function readMarkdownBody(
  deps: PlatformDeps,
  spaceId: string,
  row: PageRow,
): Promise<string | null> {
  if (row.gitOid === null) return '';
  for await (const { bytes } of createStoredReader(deps, spaceId, { of: 'page' })([row.gitOid]))
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return null;
}

/** The text of a page, and where its pieces come from if it includes other files. */
export interface PageBody {
  readonly markdown: string;
  readonly origins?: readonly TextOrigin[];
}

/**
 * The text of a page: its file with the files that it includes, or for a computed page the text generated from its
 * current sources. With `computed` false, the text of its file as it is.
 */
export async function readBody(
  deps: PlatformDeps,
  content: Pick<Content, 'space' | 'organizationRole'>,
  { row, computed }: { readonly row: PageRow; readonly computed: boolean },
): Promise<PageBody | null> {
  if (computedSpec(row) !== null) return { markdown: await writeComputed(deps, content, row) };
  const markdown = await readMarkdownBody(deps, content.space.id, row);
  if (markdown === null || !computed) return markdown === null ? null : { markdown };
  const texts = await readIncluded(deps, content.space.id, partOids(row), MAX_PART_BYTES);
  const composed = await composeRow(row, markdown, texts, { isImport: false });
  return composed === null ? { markdown } : { markdown: composed.text, origins: composed.origins };
}

/** The error for a page for which `readBody` returns null. */
export function textNotStored(): ApiError {
  const message =
    'The text of this page is not stored: its file is larger than 100 MB, its repository did not send it, or it was lost and is in no repository (restore a backup then).';
  return new ApiError('bytes-not-stored', message);
}

/**
 * The JSON of the page as nodes (`Document`), with its links as references into the content; null if it is too large and
 * not `isRequired`.
 */
export async function readDocument(
  deps: PlatformDeps,
  row: PageRow,
  {
    content,
    body,
    isRequired,
    evaluate,
  }: {
    readonly content: Content;
    /** The text as written, whose links were checked. */
    readonly body: PageBody;
    readonly isRequired: boolean;
    readonly evaluate: (markdown: string) => Promise<string>;
  },
): Promise<string | null> {
  const dialect = row.dialect ?? '';
  const parts = partPaths(row);
  const { space, revision: at } = content;
  const scope = { spaceId: space.id, organizationId: space.organizationId, at, pageId: row.id, parts };
  const rows = await loadPageLinks(deps.db, scope);
  const links = await indexLinks(row, rows);
  const references = new Map([...links].map(([key, link]) => [key, presentTarget(link, content)]));
  try {
    const markdown = await evaluate(body.markdown);
    return await contentThreads.write({ markdown, dialect, references });
  } catch (error) {
    if (!(error instanceof PageLimitError)) throw error;
    if (!isRequired) return null;
    throw invalid('/query/format', `must be markdown for this page: ${error.message}`);
  }
}

/** The links of a page and of the files in its text, in their order. Others use the thread in between: it may have many. */
export async function loadPageLinks(db: Db, scope: LinkScope): Promise<readonly LinkRow[]> {
  const rows: LinkRow[] = [];
  for (let isMore = true; isMore && rows.length < MAX_LINKS; ) {
    const keyset = { after: rows.at(-1) ?? null, limit: LINKS_PER_QUERY };
    const found = await listLinks(db, scope, { verdicts: null, ...keyset });
    rows.push(...found);
    isMore = found.length === LINKS_PER_QUERY;
  }
  return rows;
}

/** The links of a page and of the files in its text, by the keys of their targets as written in the text. */
export async function indexLinks(
  { gitPath, dialect }: PageRow,
  rows: readonly LinkRow[],
): Promise<ReadonlyMap<string, LinkRow>> {
  const links = rows.map((row) => ({ path: row.gitPath, target: row.target, row }));
  const index = await indexTargets({ path: gitPath ?? '', dialect: dialect ?? '' }, links);
  return new Map([...index].map(([key, { row }]) => [key, row]));
}
