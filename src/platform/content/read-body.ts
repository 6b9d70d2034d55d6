import { matchLinks, RenderLimitError, toDocument } from '../../content/render/index.ts';
import type { Document } from '../../contract/index.ts';
import { type LinkRow, listLinks } from '../../store/links.ts';
import type { PageRow } from '../../store/pages.ts';
import { loadText } from '../../store/texts.ts';
import { invalid } from '../api/api-error.ts';
import type { PlatformDeps } from '../deps.ts';
import { computedSpec, writeComputed } from '../openapi/write-computed.ts';
import type { Content } from './locate-content.ts';
import { presentTarget } from './present-links.ts';

/** Links of one page that are looked up for its document; later ones keep their targets as written. */
const MAX_LINKS = 20_000;

/**
 * The file's text as it stands in the repository, front matter included; empty for an entry without a file, and null
 * for a file that was too large to be fetched.
 */
export async function readMarkdown({ db }: PlatformDeps, row: PageRow): Promise<string | null> {
  if (row.gitOid === null) return '';
  const bytes = await loadText(db, row.gitOid);
  if (!bytes) return null;
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** The text of a page: that of its file, or for a computed page what it is made from says now. */
export async function readBody(
  deps: PlatformDeps,
  organizationId: string,
  row: PageRow,
): Promise<string | null> {
  if (computedSpec(row) === null) return await readMarkdown(deps, row);
  return await writeComputed(deps, organizationId, row);
}

/** The page as nodes, its links as references into the content; null when it is too large for that. */
export async function readDocument(
  deps: PlatformDeps,
  row: PageRow,
  {
    content,
    markdown,
    isAsked,
    evaluate,
  }: {
    readonly content: Content;
    /** As written, which is what links were judged in. */
    readonly markdown: string;
    readonly isAsked: boolean;
    readonly evaluate: (markdown: string) => Promise<string>;
  },
): Promise<Document | null> {
  const dialect = row.dialect ?? '';
  const scope = { spaceId: content.space.id, at: content.revision, pageId: row.id };
  const rows = await listLinks(deps.db, scope, { verdicts: null, after: null, limit: MAX_LINKS });
  const links = new Map<string, LinkRow>(rows.map((link) => [`${link.line}:${link.column}`, link]));
  const find = await matchLinks({ markdown, dialect }, (line, column) => links.get(`${line}:${column}`));
  const referTo = (target: string) => {
    const link = find(target);
    return link === undefined ? null : presentTarget(link, content);
  };
  try {
    return (await toDocument(await evaluate(markdown), { dialect, referTo })) as unknown as Document;
  } catch (error) {
    if (!(error instanceof RenderLimitError)) throw error;
    if (!isAsked) return null;
    throw invalid('/query/format', `must be markdown for this page: ${error.message}`);
  }
}
