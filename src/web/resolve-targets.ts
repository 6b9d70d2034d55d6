import type { Link, Reference } from '../client/index.ts';
import {
  type MarkdownPage,
  matchLinks,
  type RenderOptions,
  type SourcePlace,
  toFragment,
} from '../content/render/index.ts';
import { filePath, pagePath } from './addresses.ts';
import { safeHref } from './html.ts';

interface Destination {
  readonly kind: Reference['kind'];
  /** Null for a broken link, undefined for an address that only the builder's own site has. */
  readonly href: string | null | undefined;
}

/**
 * Where the links and pictures of a page lead, as the link check judged them: a page or file of the space has an
 * address here, others have their own.
 */
export async function resolveTargets(options: {
  readonly spaceId: string;
  /** Of a page that is not live: links stay in its revision. */
  readonly revisionId?: string;
  readonly page: MarkdownPage;
  readonly links: readonly Link[];
}): Promise<Pick<RenderOptions, 'resolveLink' | 'resolveImage'>> {
  const destinations = new Map<string, Destination>();
  for (const link of options.links) {
    const position = link.locationReferences[0]?.position;
    if (position) destinations.set(keyOf(position), destinationOf(options, link));
  }
  const find = await matchLinks(options.page, (place) => destinations.get(keyOf(place)));
  return {
    resolveLink: (target) => find(target)?.href,
    resolveImage(target) {
      const found = find(target);
      return found?.kind === 'file' ? (found.href ?? null) : null;
    },
  };
}

function keyOf({ path, line, column }: SourcePlace): string {
  return `${line}:${column}:${path}`;
}

interface Place {
  readonly spaceId: string;
  readonly revisionId?: string;
}

function destinationOf({ spaceId, revisionId }: Place, { status, targetReference }: Link): Destination {
  const { kind, page, file, url = '', internalLocation } = targetReference;
  const fragment = internalLocation ? toFragment(internalLocation.anchor) : '';
  if (status === 'broken') return { kind, href: null };
  if (page !== undefined) return { kind, href: pagePath(spaceId, page, revisionId) + fragment };
  if (file !== undefined) return { kind, href: filePath(spaceId, file, revisionId) };
  // A path without a host is one of the published site, not of this server.
  return { kind, href: url.startsWith('/') ? undefined : (safeHref(url) ?? undefined) };
}
