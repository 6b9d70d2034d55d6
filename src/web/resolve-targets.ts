import type { PageView } from '../client/index.ts';
import { type RenderOptions, targetKey, toFragment } from '../content/render/index.ts';
import { filePath, pagePath } from './addresses.ts';
import { safeHref } from './html.ts';

type Target = PageView['targets'][number];

/**
 * Where the links and pictures of a page lead: a page or file of the space has an address here, others have their own.
 * With `revisionId`, of a page that is not live, links stay in its revision.
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

/** Null for a broken link, undefined for an address that only the builder's own site has. */
function addressOf(
  { status, reference }: Target,
  { spaceId, revisionId }: { readonly spaceId: string; readonly revisionId?: string },
): string | null | undefined {
  const { page, file, url = '', internalLocation } = reference;
  const fragment = internalLocation ? toFragment(internalLocation.anchor) : '';
  if (status === 'broken') return null;
  if (page !== undefined) return pagePath(spaceId, page, revisionId) + fragment;
  if (file !== undefined) return filePath(spaceId, file, revisionId);
  // A path without a host is one of the published site, not of this server.
  return url.startsWith('/') ? undefined : (safeHref(url) ?? undefined);
}
