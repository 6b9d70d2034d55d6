import type { RepoPath } from '../../model/index.ts';
import { folderOf, isInside, pathInside } from '../../tree/index.ts';
import { plainName } from './plugins.ts';
import type { Named } from './yaml-values.ts';

/** How pages take in others: `{% include 'part.md' %}` in templates, or `{!part.md!}` by an extension. */
export type PageParts = 'templates' | 'marks' | null;

/** What is known of a site whose pages may be parts. */
interface SiteWithParts {
  readonly pageParts: PageParts;
  readonly docsFolder: RepoPath | null;
  readonly nav: unknown;
}

const MARKS = ['markdown_include.include', 'mdx_include'];

export function readPageParts(plugins: readonly Named[], extensions: readonly Named[]): PageParts {
  if (extensions.some(({ name }) => MARKS.includes(name))) return 'marks';
  return plugins.some((plugin) => plainName(plugin) === 'macros') ? 'templates' : null;
}

/**
 * Whether a page is a part that others take in: the navigation lists no page of its folder. Its links are then those of the
 * pages around it, which stand elsewhere.
 */
export function isPartOfPages(page: RepoPath, { pageParts, docsFolder, nav }: SiteWithParts): boolean {
  if (pageParts === null || docsFolder === null || !Array.isArray(nav) || !isInside(page, docsFolder))
    return false;
  const folder = folderOf(pathInside(page, docsFolder));
  if (folder === '') return false;
  let folders = listed.get(nav);
  if (folders === undefined) {
    folders = new Set(listedFolders(nav, 0));
    listed.set(nav, folders);
  }
  return folders.size > 0 && !folders.has(folder);
}

/** Folders with listed pages, and those around them. */
const listed = new WeakMap<object, ReadonlySet<string>>();

const MAX_DEPTH = 20;

function* listedFolders(nav: unknown, depth: number): Iterable<string> {
  if (depth > MAX_DEPTH) return;
  if (typeof nav === 'string') {
    const names = nav
      .replace(/[?#][\s\S]*$/, '')
      .split('/')
      .slice(0, MAX_DEPTH);
    for (let count = 1; count < names.length; count += 1) yield names.slice(0, count).join('/');
  } else if (typeof nav === 'object' && nav !== null) {
    for (const value of Object.values(nav)) yield* listedFolders(value, depth + 1);
  }
}
