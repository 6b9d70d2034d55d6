import type { FilesRead } from '../format-port/index.ts';
import type { ComputedSource, FileFacts, Oid, Page, RepoPath, TreeEntry } from '../model/index.ts';
import { readPageSettings } from './page-settings.ts';

/** The file of a page, for the navigation. */
export interface PageFile {
  readonly path: RepoPath;
  /** Of the bytes to show: for a symbolic link, those of its target. */
  readonly oid: Oid;
  readonly facts: FileFacts | undefined;
}

/** Returns the pages among the entries, by path. A symbolic link to a page is a separate page with the same text. */
export function pageFilesOf(
  entries: readonly TreeEntry[],
  read: FilesRead,
  isPage: (path: RepoPath) => boolean,
): Map<RepoPath, PageFile> {
  const files = new Map<RepoPath, PageFile>();
  for (const { path } of entries) {
    if (!isPage(path)) continue;
    const shown = read.file(path);
    if (shown === null || !isPage(shown.path)) continue;
    files.set(path, { path, oid: shown.oid, facts: read.facts(shown.path) });
  }
  return files;
}

/** Creates a document entry. `path` is the published one; `title` is from the navigation, null to use the page's. */
export function documentEntry(
  file: PageFile,
  path: string,
  title: string | null,
  pages: readonly Page[],
): Page {
  const values = file.facts?.frontMatter ?? {};
  return {
    type: 'document',
    title: title ?? file.facts?.title ?? textValue(values['title']) ?? titleFromName(file.path),
    slug: lastSegment(path),
    path,
    description: textValue(values['description']),
    emoji: textValue(values['emoji']),
    icon: textValue(values['icon']),
    hidden: values['hidden'] === true,
    file: file.path,
    oid: file.oid,
    href: null,
    settings: readPageSettings(values),
    pages,
  };
}

/**
 * Shows a document under a label in the navigation. Its own title stays with it, unless that is only made from the name of
 * its file.
 */
export function withLabel(page: Page, label: string | null): Page {
  if (label === null || label === page.title) return page;
  if (page.file === null || page.title === titleFromName(page.file)) return { ...page, title: label };
  return { ...page, title: label, settings: { title: page.title, ...page.settings } };
}

export function groupEntry(title: string, path: string, pages: readonly Page[]): Page {
  return { ...bareEntry('group', title, path), pages };
}

export function linkEntry(title: string, href: string, path: string, pages: readonly Page[]): Page {
  return { ...bareEntry('link', title, path), href, pages };
}

/** Creates an entry whose pages the publisher generates. */
export function computedEntry(
  title: string,
  computed: ComputedSource,
  path: string,
  pages: readonly Page[],
): Page {
  return { ...bareEntry('computed', title, path), settings: { computed }, pages };
}

function bareEntry(type: Page['type'], title: string, path: string): Page {
  return {
    type,
    title,
    slug: lastSegment(path),
    path,
    description: null,
    emoji: null,
    icon: null,
    hidden: false,
    file: null,
    oid: null,
    href: null,
    settings: null,
    pages: [],
  };
}

/** `getting-started.md` → `Getting started`; a folder's page is named after the folder. */
export function titleFromName(path: RepoPath): string {
  const segments = path.split('/');
  const name = segments.pop() ?? '';
  const stem = name.replace(/\.(?:mdx?|markdown)$/i, '');
  const source = /^(?:readme|index)$/i.test(stem) ? (segments.pop() ?? stem) : stem;
  const words = source.replace(/[-_]+/g, ' ').trim();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function textValue(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}
