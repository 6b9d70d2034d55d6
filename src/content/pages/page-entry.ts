import type { FilesRead } from '../format-port/index.ts';
import type { ComputedSource, FileFacts, Oid, Page, RepoPath, TreeEntry } from '../model/index.ts';
import { readPageSettings } from './page-settings.ts';

/** What a builder of navigation knows about one page's file. */
export interface PageFile {
  readonly path: RepoPath;
  /** Of the bytes to show: a symbolic link's target's. */
  readonly oid: Oid;
  readonly facts: FileFacts | undefined;
}

/** The pages among the entries, by path. A symbolic link to a page is a page of its own, with the other's text. */
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

/** A document of the navigation. `path` is the published one; `title` is the navigation's own, null to take the page's. */
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

export function groupEntry(title: string, path: string, pages: readonly Page[]): Page {
  return { ...bareEntry('group', title, path), pages };
}

export function linkEntry(title: string, href: string, path: string, pages: readonly Page[]): Page {
  return { ...bareEntry('link', title, path), href, pages };
}

/** An entry whose pages the publisher makes. */
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

/** `getting-started.md` → `Getting started`; a folder's page takes the folder's name. */
export function titleFromName(path: RepoPath): string {
  const segments = path.split('/');
  const name = segments.pop() ?? '';
  const stem = name.replace(/\.(?:mdx?|markdown)$/i, '');
  const said = /^(?:readme|index)$/i.test(stem) ? (segments.pop() ?? stem) : stem;
  const words = said.replace(/[-_]+/g, ' ').trim();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function textValue(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}
