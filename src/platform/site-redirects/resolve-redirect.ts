import type { RedirectDestination } from '../../contract/index.ts';
import { type Db, loadPage } from '../../store/index.ts';
import type { ArrangedStructure } from '../sites/arrange-structure.ts';

export type { RedirectDestination };

/** The redirects that an address could have, its own first: `/a/b`, then `/a/b/*`, `/a/*`. */
export function redirectSourcesOf(path: string): readonly string[] {
  const segments = path
    .split('/')
    .filter((segment) => segment !== '')
    .slice(0, 40);
  const above = segments.map((_segment, at) => `/${segments.slice(0, at + 1).join('/')}/*`);
  return [`/${segments.join('/')}`, ...above.toReversed()];
}

/** The path below the site's address to which a redirect leads; null where that is gone. */
export async function pathOfDestination(
  db: Db,
  structure: ArrangedStructure,
  destination: RedirectDestination,
): Promise<string | null> {
  if (destination.kind === 'site-section')
    return structure.sections.find(({ row }) => row.id === destination.siteSectionId)?.path ?? null;
  const all = [...structure.siteSpaces, ...structure.sections.flatMap(({ siteSpaces }) => siteSpaces)];
  const found = all.find(({ row }) => row.id === destination.siteSpaceId);
  if (found === undefined || destination.kind === 'site-space') return found?.path ?? null;
  const { historyId, version } = found.row.space;
  if (historyId === null || version === null) return null;
  const page = await loadPage(db, { historyId, version }, destination.pageId);
  return page === null ? null : [found.path, page.path].filter((part) => part !== '').join('/');
}
