import { slug } from 'github-slugger';
import type { Page, RepoPath } from '../model/index.ts';
import { groupEntry, linkEntry, withLabel } from './page-entry.ts';
import { PagePaths } from './page-paths.ts';

/** An entry of a sidebar: a page, a link to one or elsewhere, or a group when it is none of them. */
export interface SidebarItem {
  /** Null to use the page's. */
  readonly title: string | null;
  readonly file?: RepoPath | null;
  readonly href?: string | null;
  /** A page that has its own place, or a part of it, to which the entry only leads. */
  readonly leadsTo?: { readonly file: RepoPath; readonly fragment: string | null };
  readonly items: readonly SidebarItem[];
}

/**
 * Arranges pages as a sidebar does. `usual` is the navigation without one: documents keep the paths that they have there,
 * the home page stays first, and pages that the sidebar does not list follow at the end, in their usual order, so that
 * they are still found, by search too. The first of several entries for a page counts; an entry whose page is missing is
 * left out, and so is a group without pages.
 */
export function pagesFromSidebar(items: readonly SidebarItem[], usual: readonly Page[]): readonly Page[] {
  const documents = new Map<RepoPath, Page>();
  const paths = new PagePaths();
  const collect = (pages: readonly Page[]) => {
    for (const page of pages) {
      if (page.file !== null) {
        documents.set(page.file, page);
        paths.assign(page.path);
      }
      collect(page.pages);
    }
  };
  collect(usual);

  const listed = new Set<RepoPath>();
  const toPages = (list: readonly SidebarItem[], parent: string): Page[] =>
    list.flatMap((item) => toPage(item, parent));
  const toPage = ({ leadsTo, ...item }: SidebarItem, parent: string): Page[] => {
    const led = leadsTo === undefined ? undefined : documents.get(leadsTo.file);
    const address = led && `/${led.path}${leadsTo?.fragment == null ? '' : `#${leadsTo.fragment}`}`;
    const { file = null, href = address ?? null, items: inner } = item;
    const title = item.title ?? led?.title ?? null;
    const page = file === null || listed.has(file) ? undefined : documents.get(file);
    if (file !== null && page !== undefined) {
      listed.add(file);
      return [{ ...withLabel(page, title), pages: toPages(inner, page.path) }];
    }
    const name = title ?? href ?? '';
    const wanted = [parent, slug(name) || (href === null ? 'group' : 'link')].filter(Boolean).join('/');
    if (href !== null) return [linkEntry(name, href, paths.assign(wanted), toPages(inner, parent))];
    const pages = toPages(inner, name === '' ? parent : wanted);
    return pages.length === 0 ? [] : name === '' ? pages : [groupEntry(name, paths.assign(wanted), pages)];
  };

  const toRest = (pages: readonly Page[]): Page[] =>
    pages.flatMap((page) => {
      const inner = toRest(page.pages);
      if (page.file !== null && !listed.has(page.file)) return [{ ...page, pages: inner }];
      return inner.length === 0 ? [] : [groupEntry(page.title, paths.assign(page.path), inner)];
    });

  const shown = toPages(items, '');
  if (listed.size === 0) return usual;
  const rest = toRest(usual);
  const isHome = ({ file, path }: Page) => file !== null && path === '';
  return [...rest.filter(isHome), ...shown, ...rest.filter((page) => !isHome(page))];
}
