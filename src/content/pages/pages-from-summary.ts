import { slug } from 'github-slugger';
import { parseTarget } from '../links/index.ts';
import type { ContentsEntry, Page, RepoPath } from '../model/index.ts';
import { pathInside } from '../tree/index.ts';
import { computedEntry, documentEntry, groupEntry, linkEntry, type PageFile } from './page-entry.ts';
import { PagePaths, publishedPath } from './page-paths.ts';

/** What the entries of a table of contents may name. */
export interface SummarySource {
  readonly summaryPath: RepoPath;
  readonly directory: string;
  /** The page at a path, also the one that stands for a folder; null when there is none in the space. */
  readonly pageAt: (path: RepoPath) => PageFile | null;
  /** Where an entry's destination leads: a path of the repository, or null when it leads elsewhere. GitHub's way when left out. */
  readonly pathOf?: (target: string) => { readonly path: RepoPath; readonly anchor: string | null } | null;
  /** Where a page stands in the published space; its path without the extension when left out. */
  readonly publishedPathOf?: (file: RepoPath) => string;
  /** The last part of a group's path; from its title when left out. */
  readonly groupSlug?: (entry: ContentsEntry) => string;
  /** Gives the entries their paths; made anew when left out. */
  readonly paths?: PagePaths;
  /** Hears of each entry that leads to a path of the repository, whether or not a page is there. */
  readonly onPlaced?: (placed: LocatedEntry) => void;
}

/** An entry that leads to a path, and what became of it. */
export interface LocatedEntry {
  readonly path: RepoPath;
  readonly hasAnchor: boolean;
  readonly hasEntries: boolean;
  /** The group that it stands directly in, if it does. */
  readonly group: ContentsEntry | null;
  /** The page at the path. */
  readonly file: RepoPath | null;
  /** Its own path in the published space; null where it is no document. */
  readonly published: string | null;
}

/**
 * Navigation as a `SUMMARY.md` lists it: nesting comes from the lists, titles from the links' texts. A page that is
 * listed twice stands at its first place, and the second is a link to it; an entry whose file is missing is left out,
 * with its own entries moving up (the file's links report it).
 */
export function pagesFromSummary(entries: readonly ContentsEntry[], source: SummarySource): readonly Page[] {
  const { paths = new PagePaths() } = source;
  const listed = new Set<RepoPath>();
  const toPages = (list: readonly ContentsEntry[], parent: string, group: ContentsEntry | null): Page[] =>
    list.flatMap((entry) => toPage(entry, parent, group));

  const toPage = (entry: ContentsEntry, parent: string, group: ContentsEntry | null): Page[] => {
    if (entry.computed !== undefined) {
      const path = paths.take(joined(parent, slug(entry.title) || 'computed'));
      return [computedEntry(entry.title, entry.computed, path, toPages(entry.children, path, null))];
    }
    if (entry.target === null) {
      const path = paths.take(joined(parent, source.groupSlug?.(entry) || slug(entry.title) || 'group'));
      return [groupEntry(entry.title, path, toPages(entry.children, path, entry))];
    }
    const place = placeOf(entry.target, source);
    if (place === undefined) return toPages(entry.children, parent, group);
    if (place !== null) {
      const file = source.pageAt(place.path);
      const isDocument = file !== null && place.anchor === null && !listed.has(file.path);
      const path = isDocument ? paths.take(publishedPathOf(file.path, source)) : null;
      source.onPlaced?.({
        path: place.path,
        hasAnchor: place.anchor !== null,
        hasEntries: entry.children.length > 0,
        group,
        file: file?.path ?? null,
        published: path,
      });
      if (file === null) return toPages(entry.children, parent, group);
      if (path !== null) {
        listed.add(file.path);
        return [documentEntry(file, path, entry.title || null, toPages(entry.children, path, null))];
      }
    }
    const title = entry.title || entry.target;
    const path = paths.take(joined(parent, slug(title) || 'link'));
    return [linkEntry(title, entry.target, path, toPages(entry.children, path, null))];
  };
  return toPages(entries, '', null);
}

function publishedPathOf(file: RepoPath, { publishedPathOf: told, directory }: SummarySource): string {
  return told?.(file) ?? publishedPath(pathInside(file, directory));
}

/** Null for an address elsewhere, undefined for a destination that is none. */
function placeOf(written: string, { pathOf, summaryPath }: SummarySource) {
  if (pathOf !== undefined) return pathOf(written);
  const { target } = parseTarget(summaryPath, { target: written, kind: 'link' });
  if (target.kind === 'invalid') return undefined;
  return target.kind === 'path' ? target : null;
}

function joined(parent: string, name: string): string {
  return parent === '' ? name : `${parent}/${name}`;
}
