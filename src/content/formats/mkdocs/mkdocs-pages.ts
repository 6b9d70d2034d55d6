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
  if (!Array.isArray(config.nav)) return pagesFromFolders([...files.values()], docs);
  return pagesFromNav(config.nav, docs, files, site);
}

function pagesFromNav(
  nav: readonly unknown[],
  docs: RepoPath,
  files: ReadonlyMap<RepoPath, PageFile>,
  site: PublishedSite,
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
    const pages = pagesFromFolders(inner, docs);
    const [only] = pages;
    if (only?.type !== 'group') return [...pages];
    return [groupEntry(title ?? only.title, paths.assign(only.path), only.pages)];
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
  return toPages(nav, '', 0);
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
