import type { PageView } from '../client/index.ts';
import { toFragment } from '../content/render/index.ts';
import { safeHref } from '../markup/index.ts';
import type { LinkAddress } from '../threads/index.ts';
import { filePath, pagePath } from './addresses.ts';

type Target = PageView['targets'][number];

/**
 * The addresses of the links and pictures of a page, by `targetKey`: pages and files of the space have theirs on this server.
 * With `revisionId`, for a page that is not live, links stay in that revision.
 */
export function resolveTargets(
  targets: readonly Target[],
  content: { readonly spaceId: string; readonly revisionId?: string },
): ReadonlyMap<string, LinkAddress> {
  return new Map(
    targets.map((target) => {
      const link = addressOf(target, content);
      const isFile = target.reference.kind === 'file';
      return [target.target, { link, image: isFile ? (link ?? null) : null }];
    }),
  );
}

/** Null for a broken link; undefined for a path that exists only on the published site. */
function addressOf(
  { status, reference }: Target,
  { spaceId, revisionId }: { readonly spaceId: string; readonly revisionId?: string },
): string | null | undefined {
  const { page, file, url = '', internalLocation } = reference;
  const fragment = internalLocation ? toFragment(internalLocation.anchor) : '';
  if (status === 'broken') return null;
  if (page !== undefined) return pagePath(spaceId, page, revisionId) + fragment;
  if (file !== undefined) return filePath(spaceId, file, revisionId);
  // A path without a host belongs to the published site, not to this server.
  return url.startsWith('/') ? undefined : (safeHref(url) ?? undefined);
}
