import type { Link, Reference } from '../client/index.ts';
import { readFacts } from '../content/index.ts';
import { type RenderOptions, toFragment } from '../content/render/index.ts';
import { filePath, pagePath } from './addresses.ts';
import { safeHref } from './html.ts';

interface Destination {
  readonly kind: Reference['kind'];
  /** Null for a broken link. */
  readonly href: string | null;
}

/**
 * Where the links and pictures of a page lead, as the link check judged them: a page or file of the space has an
 * address here, others have their own. Links are known by their place in the text, so what is shown and what was
 * judged cannot differ.
 */
export function resolveTargets(options: {
  readonly spaceId: string;
  readonly path: string;
  readonly markdown: string;
  readonly links: readonly Link[];
}): Pick<RenderOptions, 'resolveLink' | 'resolveImage'> {
  const judged = new Map<string, Link>();
  for (const link of options.links) {
    const position = link.locationReferences[0]?.position;
    if (position) judged.set(`${position.line}:${position.column}`, link);
  }
  const destinations = new Map<string, Destination>();
  const { references } = readFacts(options.path, new TextEncoder().encode(options.markdown));
  for (const { line, column, target } of references) {
    const link = judged.get(`${line}:${column}`);
    if (link) destinations.set(decode(target), destinationOf(options.spaceId, link));
  }
  return {
    resolveLink: (target) => destinations.get(decode(target))?.href ?? null,
    resolveImage(target) {
      const found = destinations.get(decode(target));
      return found?.kind === 'file' ? found.href : null;
    },
  };
}

function destinationOf(spaceId: string, { status, targetReference }: Link): Destination {
  const { kind, page, file, url, internalLocation } = targetReference;
  const fragment = internalLocation ? toFragment(internalLocation.anchor) : '';
  if (status === 'broken') return { kind, href: null };
  if (page !== undefined) return { kind, href: pagePath(spaceId, page) + fragment };
  if (file !== undefined) return { kind, href: filePath(spaceId, file) };
  return { kind, href: safeHref(url) };
}

/** A target as written and as the renderer encodes it are the same once decoded. */
function decode(target: string): string {
  try {
    return decodeURIComponent(target.trim());
  } catch {
    return target.trim();
  }
}
