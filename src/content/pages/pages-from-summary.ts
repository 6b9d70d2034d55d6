import { slug } from 'github-slugger';
import { parseTarget } from '../links/index.ts';
import type { ContentsEntry, Page, RepoPath } from '../model/index.ts';
import { pathInside } from '../tree/index.ts';
import { computedEntry, documentEntry, groupEntry, linkEntry, type PageFile } from './page-entry.ts';
import { PagePaths, publishedPath } from './page-paths.ts';

/** What the entries of a table of contents can refer to. */
export interface SummarySource {
  readonly summaryPath: RepoPath;
  readonly directory: string;
  /** Returns the page at a path, or of a folder; null when there is none in the space. */
  readonly pageAt: (path: RepoPath) => PageFile | null;
  /** Returns the path of the repository that an entry's destination leads to; null when it leads elsewhere. GitHub's rules when absent. */
  readonly pathOf?: (target: string) => { readonly path: RepoPath; readonly anchor: string | null } | null;
  /** Returns a page's path in the published space; its path without the extension when absent. */
  readonly publishedPathOf?: (file: RepoPath) => string;
  /** Returns the last segment of a group's path; from its title when absent. */
  readonly groupSlug?: (entry: ContentsEntry) => string;
  /** Assigns the paths of entries; created when absent. */
  readonly paths?: PagePaths;
  /** Called for each entry that leads to a path of the repository, whether or not a page exists there. */
  readonly onLocated?: (entry: LocatedEntry) => void;
}

/** An entry that leads to a path of the repository, and its page. */
export interface LocatedEntry {
  readonly path: RepoPath;
  readonly hasAnchor: boolean;
  readonly hasEntries: boolean;
  /** The group that directly contains it; null when none does. */
  readonly group: ContentsEntry | null;
  /** The page at the path. */
  readonly file: RepoPath | null;
  /** Its path in the published space; null when the entry is not a document. */
  readonly published: string | null;
}

/**
 * Builds the navigation from a `SUMMARY.md`: nesting comes from the lists, titles from the links' texts. Only the first
 * of two entries for a page is a document, and the second is a link to its path; an entry whose file is missing is left out,
 * and its own entries move up (the missing file is reported as a broken link).
 */
export function pagesFromSummary(entries: readonly ContentsEntry[], source: SummarySource): readonly Page[] {
  const { paths = new PagePaths() } = source;
  /** The paths of the documents, by their files. */
  const listed = new Map<RepoPath, string>();
  /** Of the entries that lead to a page which has its place at another entry, or to a part of it. */
  const leads = new Map<Page, { readonly file: RepoPath; readonly anchor: string | null }>();
  const toPages = (list: readonly ContentsEntry[], parent: string, group: ContentsEntry | null): Page[] =>
    list.flatMap((entry) => toPage(entry, parent, group));

  const toPage = (entry: ContentsEntry, parent: string, group: ContentsEntry | null): Page[] => {
    if (entry.computed !== undefined) {
      const path = paths.assign(joined(parent, slug(entry.title) || 'computed'));
      return [computedEntry(entry.title, entry.computed, path, toPages(entry.children, path, null))];
    }
    if (entry.target === null) {
      const path = paths.assign(joined(parent, source.groupSlug?.(entry) || slug(entry.title) || 'group'));
      return [groupEntry(entry.title, path, toPages(entry.children, path, entry))];
    }
    const target = pathOfTarget(entry.target, source);
    if (target === undefined) return toPages(entry.children, parent, group);
    const file = target === null ? null : source.pageAt(target.path);
    if (target !== null) {
      const isDocument = file !== null && target.anchor === null && !listed.has(file.path);
      const path = isDocument ? paths.assign(publishedPathOf(file.path, source)) : null;
      source.onLocated?.({
        path: target.path,
        hasAnchor: target.anchor !== null,
        hasEntries: entry.children.length > 0,
        group,
        file: file?.path ?? null,
        published: path,
      });
      if (file === null) return toPages(entry.children, parent, group);
      if (path !== null) {
        listed.set(file.path, path);
        return [documentEntry(file, path, entry.title || null, toPages(entry.children, path, null))];
      }
    }
    const title = entry.title || entry.target;
    const path = paths.assign(joined(parent, slug(title) || 'link'));
    const link = linkEntry(title, entry.target, path, toPages(entry.children, path, null));
    if (target !== null && file !== null) leads.set(link, { file: file.path, anchor: target.anchor });
    return [link];
  };
  const withPaths = (pages: readonly Page[]): readonly Page[] =>
    pages.map((page) => {
      const { file, anchor = null } = leads.get(page) ?? {};
      const path = file === undefined ? undefined : listed.get(file);
      const own = path === undefined ? {} : { href: `/${path}${anchor === null ? '' : `#${anchor}`}` };
      return { ...page, ...own, pages: withPaths(page.pages) };
    });
  const pages = toPages(entries, '', null);
  return leads.size === 0 ? pages : withPaths(pages);
}

function publishedPathOf(file: RepoPath, { publishedPathOf: custom, directory }: SummarySource): string {
  return custom?.(file) ?? publishedPath(pathInside(file, directory));
}

/** Null for an outside address, undefined for an invalid destination. */
function pathOfTarget(written: string, { pathOf, summaryPath }: SummarySource) {
  if (pathOf !== undefined) return pathOf(written);
  const { target } = parseTarget(summaryPath, { target: written, kind: 'link' });
  if (target.kind === 'invalid') return undefined;
  return target.kind === 'path' ? target : null;
}

function joined(parent: string, name: string): string {
  return parent === '' ? name : `${parent}/${name}`;
}
