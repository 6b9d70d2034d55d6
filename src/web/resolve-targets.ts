import type { PageView } from '../client/index.ts';
import { type RenderOptions, targetKey, toFragment } from '../content/render/index.ts';
import { filePath, pagePath } from './addresses.ts';
import { safeHref } from './html.ts';

type Target = PageView['targets'][number];

/**
 * Resolves the links and pictures of a page: pages and files of the space to their addresses on this server. With
 * `revisionId`, for a page that is not live, links stay in that revision.
 */
export function resolveTargets(
  targets: readonly Target[],
  content: { readonly spaceId: string; readonly revisionId?: string },
): Pick<RenderOptions, 'resolveLink' | 'resolveImage'> {
  const byKey = new Map(targets.map((target) => [target.target, target]));
  const find = (written: string) => byKey.get(targetKey(written));
  return {
    resolveLink(written) {
      const target = find(written);
      return target && addressOf(target, content);
    },
    resolveImage(written) {
      const target = find(written);
      return target?.reference.kind === 'file' ? (addressOf(target, content) ?? null) : null;
    },
  };
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
