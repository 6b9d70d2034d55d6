import type { ShareLink } from '../../contract/index.ts';
import type { ShareLinkRow } from '../../store/index.ts';

/** @param address the link itself, where its key is known. */
export function presentShareLink(row: ShareLinkRow, address?: string): ShareLink {
  return {
    object: 'share-link',
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    name: row.name,
    active: row.active,
    prefix: row.prefix,
    urls: address === undefined ? {} : { published: address },
  };
}
