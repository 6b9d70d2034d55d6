import { createHash } from 'node:crypto';
import type { Steps } from '../../content/engine/index.ts';
import type { Link } from '../../content/index.ts';
import type { RevisionCounts, SetLinkRow } from '../../store/index.ts';

/** The links of one file as they are stored. */
export interface LinkSet {
  /** The links that it was derived from, as the engine returned them. */
  readonly source: readonly Link[];
  /** The digest of its rows. */
  readonly id: string;
  readonly rows: readonly SetLinkRow[];
  readonly counts: LinkSetCounts;
}

/** How many links of a file have each verdict. */
export type LinkSetCounts = Pick<RevisionCounts, 'links' | 'broken' | 'inApp' | 'unchecked'> & {
  /** Links that name specifications. */
  readonly specs: number;
};

export interface LinkTargets {
  readonly pageIds: ReadonlyMap<string, string>;
  readonly fileIds: ReadonlyMap<string, string>;
  /** The URL prefix for files outside the space, if it is known. */
  readonly treeUrl: string | undefined;
}

/** Links that one step turns into rows. */
const LINKS_PER_STEP = 250;

/** The links of one file as rows, in the order of the file. */
export function* deriveLinkSet(source: readonly Link[], targets: LinkTargets): Steps<LinkSet> {
  const rows: SetLinkRow[] = [];
  // What `JSON.stringify` makes of all rows, a page may have too many to hash at once.
  const hash = createHash('sha256').update('[');
  for (let start = 0; start < source.length; start += LINKS_PER_STEP) {
    const some = source
      .slice(start, start + LINKS_PER_STEP)
      .map((link, index) => toRow(link, start + index, targets));
    for (const row of some) rows.push(row);
    hash.update(`${start === 0 ? '' : ','}${JSON.stringify(some).slice(1, -1)}`);
    yield some.length;
  }
  const id = hash.update(']').digest('base64url').slice(0, 24);
  return { source, id, rows, counts: countLinks(source) };
}

function countLinks(links: readonly Link[]): LinkSetCounts {
  const counts = { links: links.length, broken: 0, inApp: 0, unchecked: 0, specs: 0 };
  for (const link of links) {
    const { status } = link;
    if (namesSpec(link)) counts.specs += 1;
    if (status === 'broken') counts.broken += 1;
    else if (status === 'in-app') counts.inApp += 1;
    else if (status === 'unchecked') counts.unchecked += 1;
  }
  return counts;
}

/** Whether a block shows a specification of the organization, by its name. */
function namesSpec({ status, kind, carrier }: Link): boolean {
  return status === 'in-app' && kind === 'block' && carrier?.startsWith('openapi-') === true;
}

function toRow(link: Link, ordinal: number, { pageIds, fileIds, treeUrl }: LinkTargets): SetLinkRow {
  const path = link.resolved?.path;
  const pageId = path === undefined ? undefined : pageIds.get(path);
  const fileId = path === undefined || pageId !== undefined ? undefined : fileIds.get(path);
  const isSpec = namesSpec(link);
  const isOutside = path !== undefined && pageId === undefined && fileId === undefined;
  return {
    ordinal,
    line: link.line,
    column: link.column,
    endLine: link.endLine,
    endColumn: link.endColumn,
    target: link.target,
    relation: link.relation,
    status: link.status,
    rule: link.rule,
    message: link.message,
    suggestion: link.suggestion,
    targetKind: isSpec ? 'openapi' : pageId !== undefined ? 'page' : fileId !== undefined ? 'file' : 'url',
    targetPageId: pageId ?? null,
    targetFileId: fileId ?? null,
    targetAnchor: isSpec ? link.text || null : link.anchor,
    targetUrl: isOutside ? toTreeUrl(treeUrl, path, link.anchor) : null,
  };
}

function toTreeUrl(prefix: string | undefined, path: string, anchor: string | null): string | null {
  if (prefix === undefined) return null;
  const encodedPath = path.split('/').map(encodeURIComponent).join('/');
  return `${prefix.replace(/\/$/, '')}/${encodedPath}${anchor === null ? '' : `#${encodeURIComponent(anchor)}`}`;
}
