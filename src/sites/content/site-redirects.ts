import { LRUCache } from 'lru-cache';
import { type ArrangedStructure, type RedirectDestination, redirectSourcesOf } from '../../platform/index.ts';
import { type Database, loadRedirects, type SiteRow } from '../../store/index.ts';
import { locationsOf } from '../locate-path.ts';
import type { ServedSite } from '../served-sites.ts';
import type { VisibleContents } from '../visitor/visible-contents.ts';

/** Redirects that one process remembers, of all sites together. */
const MAX_REDIRECTS = 50_000;

type Destinations = ReadonlyMap<string, RedirectDestination>;

/** The redirects of sites, read once for each version of a site: who tries many addresses asks the database for none. */
export class SiteRedirects {
  readonly #db: Database;
  readonly #known: LRUCache<string, Destinations, string>;

  constructor(db: Database) {
    this.#db = db;
    this.#known = new LRUCache({
      maxSize: MAX_REDIRECTS,
      sizeCalculation: ({ size }) => size + 1,
      fetchMethod: (_key, _stale, { context }) => this.#read(context),
      ignoreFetchAbort: true,
    });
  }

  async load({ id, version }: Pick<SiteRow, 'id' | 'version'>): Promise<Destinations> {
    const key = `${id} ${version}`;
    return this.#known.get(key) ?? (await this.#known.forceFetch(key, { context: id }));
  }

  async #read(siteId: string): Promise<Destinations> {
    const rows = await loadRedirects(this.#db, siteId);
    return new Map(rows.map(({ source, destination }) => [source, destination as RedirectDestination]));
  }
}

interface VisibleSite {
  readonly served: Pick<ServedSite, 'site'>;
  readonly structure: ArrangedStructure;
  readonly contents: VisibleContents;
}

/**
 * The path to which a site redirects this visitor from another one, with the source of the redirect; null for none, and for
 * what they do not see. A redirect of the very path goes before those of what is above it.
 */
export async function findRedirect(
  site: VisibleSite & { readonly redirects: SiteRedirects; readonly path: string },
): Promise<{ readonly target: string; readonly source: string } | null> {
  const destinations = await site.redirects.load(site.served.site);
  if (destinations.size === 0) return null;
  for (const source of redirectSourcesOf(site.path.split('/').map(encodeURIComponent).join('/'))) {
    const destination = destinations.get(source);
    const target = destination === undefined ? null : await pathOf(site, destination);
    if (target !== null) return { target, source };
  }
  return null;
}

async function pathOf(
  { structure, contents }: VisibleSite,
  destination: RedirectDestination,
): Promise<string | null> {
  if (destination.kind === 'site-section')
    return structure.sections.find(({ row }) => row.id === destination.siteSectionId)?.path ?? null;
  const found = locationsOf(structure).find(({ siteSpace }) => siteSpace.row.id === destination.siteSpaceId);
  if (found === undefined) return null;
  const { path, row } = found.siteSpace;
  if (destination.kind === 'site-space') return path;
  const content = await contents.load(row.space);
  const page = content?.pages.byId.get(destination.pageId);
  return page === undefined ? null : [path, page.row.path].filter((part) => part !== '').join('/');
}
