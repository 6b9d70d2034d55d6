import type { RepoPath } from '../model/index.ts';
import { targetFromPage } from './included/move-links.ts';
import { loadDialect } from './load-dialect.ts';

/**
 * The links of a page by the keys of the targets that the page's text has for them (see {@link targetKey}). `links` are
 * those of the page's file (`page.path`) and of the files that stand in its text, each with its target as its own file
 * has it. A target that the page's file has itself leads where it leads from there.
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

/** The same for a target as it is written and as the renderer percent-encodes it. */
export function targetKey(target: string): string {
  try {
    return decodeURIComponent(target.trim());
  } catch {
    return target.trim();
  }
}
