import type { Link } from '../../content/index.ts';
import type { LinkRow } from '../../store/links.ts';

export type DerivedLink = Omit<LinkRow, 'revisionId'>;

/** The links as rows, in the order of the content. */
export function deriveLinks(
  links: readonly Link[],
  options: {
    readonly pageIds: ReadonlyMap<string, string>;
    readonly fileIds: ReadonlyMap<string, string>;
    /** Prefix of the addresses of files outside the space, where it is known. */
    readonly treeUrl: string | undefined;
  },
): DerivedLink[] {
  return links.map((link, position) => {
    const path = link.resolved?.path;
    const pageId = path === undefined ? undefined : options.pageIds.get(path);
    const fileId = path === undefined || pageId !== undefined ? undefined : options.fileIds.get(path);
    const isOutside = path !== undefined && pageId === undefined && fileId === undefined;
    return {
      position,
      pageId: options.pageIds.get(link.file) ?? null,
      gitPath: link.file,
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
      targetKind: pageId !== undefined ? 'page' : fileId !== undefined ? 'file' : 'url',
      targetPageId: pageId ?? null,
      targetFileId: fileId ?? null,
      targetAnchor: link.anchor,
      targetUrl: isOutside ? toTreeUrl(options.treeUrl, path, link.anchor) : null,
    };
  });
}

function toTreeUrl(prefix: string | undefined, path: string, anchor: string | null): string | null {
  if (prefix === undefined) return null;
  const place = path.split('/').map(encodeURIComponent).join('/');
  return `${prefix.replace(/\/$/, '')}/${place}${anchor === null ? '' : `#${encodeURIComponent(anchor)}`}`;
}
