import { loadDialect } from '../engine/index.ts';
import type { RepoPath } from '../model/index.ts';
import { targetFromPage } from './included/move-links.ts';

/**
 * Returns the links of a page by the keys of their targets in the page's text (see {@link targetKey}). `links` are those
 * of the page's file (`page.path`) and of the files that it includes, each with its target as written in its own file.
 * For a target that is also in the page's own file, the link of that file is returned.
 */
export async function indexTargets<Link extends { readonly path: RepoPath; readonly target: string }>(
  page: { readonly path: RepoPath; readonly dialect: string },
  links: readonly Link[],
): Promise<ReadonlyMap<string, Link>> {
  const { movesLinks = false } = await loadDialect(page.dialect);
  const index = new Map<string, Link>();
  for (const link of links) {
    if (link.path === page.path) continue;
    const target = movesLinks
      ? targetFromPage(link.target, { part: link.path, page: page.path })
      : link.target;
    index.set(targetKey(target), link);
  }
  for (const link of links) if (link.path === page.path) index.set(targetKey(link.target), link);
  return index;
}

/** Returns the same key for a target as written and as percent-encoded by the renderer. */
export function targetKey(target: string): string {
  try {
    return decodeURIComponent(target.trim());
  } catch {
    return target.trim();
  }
}
