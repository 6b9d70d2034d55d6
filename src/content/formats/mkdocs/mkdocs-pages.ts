import type { FilesRead, SpaceInput } from '../../format-port/index.ts';
import { schemeOf } from '../../links/index.ts';
import type { Page, RepoPath } from '../../model/index.ts';
import {
  documentEntry,
  groupEntry,
  linkEntry,
  type PageFile,
  PagePaths,
  pageFilesOf,
  pagesFromFolders,
} from '../../pages/index.ts';
import { isInside } from '../../tree/index.ts';
import { asList, asRecord } from '../untyped-values.ts';
import { type LiterateOrder, readLiterateOrder } from './literate-order.ts';
import type { MkdocsConfig } from './mkdocs-config.ts';
import { isMkdocsPage, type PublishedSite } from './published-site.ts';

const MAX_DEPTH = 32;

/** Builds the navigation from `nav`, or without it from the folders. */
export function mkdocsPages(
  space: SpaceInput,
  config: MkdocsConfig,
  site: PublishedSite,
  read: FilesRead,
): readonly Page[] {
  const docs = config.docsFolder;
  if (docs === null) return [];
  const isPage = (path: RepoPath) => isMkdocsPage(path);
  const published = space.entries.filter(({ path }) => isInside(path, docs) && site.addressOf(path) !== null);
  const files = pageFilesOf(published, read, isPage);
  const order = readLiterateOrder(files, config.navFileName);
  if (!Array.isArray(config.nav)) return pagesInOrder([...files.values()], docs, order);
  return pagesFromNav(config.nav, { docs, files, site, order });
}

/** The pages of folders, with the titles that a list gives them. */
function pagesInOrder(
  files: readonly PageFile[],
  docs: RepoPath,
  { compare, labelOf }: LiterateOrder,
): readonly Page[] {
  const labelled = (pages: readonly Page[]): readonly Page[] =>
    pages.map((page) => {
      const label = page.file === null ? null : labelOf(page.file);
      return { ...page, title: label ?? page.title, pages: labelled(page.pages) };
    });
  return labelled(pagesFromFolders(files, docs, { order: compare }));
}

function pagesFromNav(
  nav: readonly unknown[],
  {
    docs,
    files,
    site,
    order,
  }: {
    readonly docs: RepoPath;
    readonly files: ReadonlyMap<RepoPath, PageFile>;
    readonly site: PublishedSite;
    readonly order: LiterateOrder;
  },
): readonly Page[] {
  const paths = new PagePaths();
  const listed = new Set<RepoPath>();
  const pageOf = (title: string | null, target: string, parent: string): Page[] => {
    if (schemeOf(target) !== null || target.startsWith('/')) {
      return [linkEntry(title ?? target, target, paths.assign(joined(parent, slugOf(title ?? target))), [])];
    }
    const path = docs === '' ? target : `${docs}/${target}`;
    const file = files.get(path);
    if (file !== undefined && !listed.has(path)) {
      listed.add(path);
      const address = (site.addressOf(path) ?? '').replace(/(?:(?:^|\/)index)?\.html$/, '');
      return [documentEntry(file, paths.assign(address), title, [])];
    }
    // Plugins replace the name of a folder by its pages.
    const folder = path.replace(/\/\*?$/, '');
    const inner = [...files.values()].filter(
      (candidate) => isInside(candidate.path, folder) && !listed.has(candidate.path),
    );
    if (file !== undefined || inner.length === 0) return [];
    for (const candidate of inner) listed.add(candidate.path);
    const pages = pagesInOrder(inner, docs, order);
    const [only, ...others] = pages;
    if (only === undefined || others.length > 0 || only.path === '') return [...pages];
    return [{ ...only, title: title ?? only.title, path: paths.assign(only.path) }];
  };
  const toPages = (items: readonly unknown[], parent: string, depth: number): Page[] =>
    depth > MAX_DEPTH
      ? []
      : items.flatMap((item) => {
          if (typeof item === 'string') return pageOf(null, item, parent);
          return Object.entries(asRecord(item)).flatMap(([title, value]) => {
            if (typeof value === 'string') return pageOf(title, value, parent);
            const path = paths.assign(joined(parent, slugOf(title)));
            return [groupEntry(title, path, toPages(asList(value), path, depth + 1))];
          });
        });
  const shown = toPages(nav, '', 0);
  // The builder publishes pages that it does not list; here they are found at the end.
  const rest = [...files.values()].filter(({ path }) => !listed.has(path));
  const withPaths = (pages: readonly Page[]): Page[] =>
    pages.map((page) => {
      const path = paths.assign(page.path);
      return { ...page, path, slug: path.slice(path.lastIndexOf('/') + 1), pages: withPaths(page.pages) };
    });
  return [...shown, ...withPaths(pagesInOrder(rest, docs, order))];
}

function joined(parent: string, name: string): string {
  return parent === '' ? name : `${parent}/${name}`;
}

function slugOf(title: string): string {
  return (
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '') || 'group'
  );
}
