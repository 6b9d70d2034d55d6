import type { NavigationEntry } from '../../contract/index.ts';
import { type Db, listPages, type PageRow, type RevisionRow } from '../../store/index.ts';

/** The limit for all spaces together. */
const MAX_ENTRIES = 200_000;

interface Navigation {
  readonly roots: NavigationEntry[];
  readonly size: number;
}

/**
 * The page trees of recently read revisions: every page of a space shows the whole tree, and a revision's tree never
 * changes. The least recently used are evicted first.
 */
export class NavigationCache {
  readonly #known = new Map<string, Navigation>();
  #entries = 0;

  async load(db: Db, revision: RevisionRow): Promise<NavigationEntry[]> {
    const known = this.#known.get(revision.id);
    const navigation = known ?? toNavigation(await listPages(db, revision));
    if (this.#known.delete(revision.id)) this.#entries -= navigation.size;
    this.#known.set(revision.id, navigation);
    this.#entries += navigation.size;
    for (const [id, { size }] of this.#known) {
      if (this.#entries <= MAX_ENTRIES) break;
      this.#known.delete(id);
      this.#entries -= size;
    }
    return navigation.roots;
  }
}

/** `rows` are in the order of the navigation, parents before children. */
function toNavigation(rows: readonly PageRow[]): Navigation {
  const roots: NavigationEntry[] = [];
  const byId = new Map<string, NavigationEntry>();
  for (const { id, parentId, title, emoji, type, href, hidden } of rows) {
    const entry: NavigationEntry = {
      id,
      title,
      type: type as NavigationEntry['type'],
      hidden,
      pages: [],
      ...(emoji === null ? {} : { emoji }),
      ...(href === null ? {} : { href }),
    };
    byId.set(id, entry);
    const siblings = (parentId === null ? undefined : byId.get(parentId)?.pages) ?? roots;
    siblings.push(entry);
  }
  return { roots, size: rows.length };
}
