import { languageFolderOf } from './folder-languages.ts';
import { hasText, type IndexedPage, type PageIndex } from './page-index.ts';
import type { SpaceContent } from './space-contents.ts';
import { languagePart } from './untranslated-pages.ts';

type Content = Pick<SpaceContent, 'space' | 'pages' | 'languages'>;

/** The entries of a navigation that readers of one language see. */
export interface LanguageNavigation {
  /** What is at the top. */
  readonly entries: readonly IndexedPage[];
  /** The entry that only says which language this is; its parts are at the top instead. Null for none. */
  readonly heading: IndexedPage | null;
  /** How many entries there are in all. */
  readonly size: number;
}

const known = new WeakMap<PageIndex, Map<string | null, LanguageNavigation>>();

/** @param folder of the language; null for the default one, and in a space with only one */
export function languageNavigation(content: Content, folder: string | null): LanguageNavigation {
  const { pages } = content;
  const byFolder = known.get(pages) ?? new Map<string | null, LanguageNavigation>();
  known.set(pages, byFolder);
  const found = byFolder.get(folder) ?? makeNavigation(content, folder);
  byFolder.set(folder, found);
  return found;
}

function makeNavigation(content: Content, folder: string | null): LanguageNavigation {
  const { pages, languages } = content;
  if (languages === null) return { entries: pages.roots, heading: null, size: pages.byId.size };
  const own = folder === null ? null : headOf(content, folder);
  if (own !== null) return { ...opened([own], own), heading: own };
  const heading = folder === null ? standardHead(content) : null;
  const others = new Set([...languages.others.keys()].map((other) => headOf(content, other)));
  const roots = pages.roots.filter((root) => !others.has(root));
  return { ...opened(roots, heading), heading };
}

/** The entry under which all pages of a language are, and no others. */
function headOf(content: Content, folder: string): IndexedPage | null {
  const head = languagePart(content, folder)?.root;
  const isOwn = ({ row }: IndexedPage) => languageFolderOf(content.languages, row.path) === folder;
  return head !== undefined && below(head).every((page) => !hasText(page.row) || isOwn(page)) ? head : null;
}

/** The same for the default language, where that has a folder. */
function standardHead(content: Content): IndexedPage | null {
  const { languages, pages } = content;
  const folder = languages?.standard.folder ?? '';
  if (folder === '') return null;
  const isInside = ({ path }: IndexedPage['row']) => path === folder || path.startsWith(`${folder}/`);
  const heads = pages.roots.filter((root) => below(root).some(({ row }) => hasText(row) && isInside(row)));
  const [head] = heads;
  return heads.length === 1 && head !== undefined && head.row.type !== 'link' ? head : null;
}

function opened(
  roots: readonly IndexedPage[],
  heading: IndexedPage | null,
): Pick<LanguageNavigation, 'entries' | 'size'> {
  const entries = roots.flatMap((root) => {
    if (root !== heading) return [root];
    // The home page of the language has an entry of its own.
    return hasText(root.row) ? [{ ...root, children: [] }, ...root.children] : root.children;
  });
  return { entries, size: entries.reduce((size, entry) => size + below(entry).length, 0) };
}

/** An entry and all below it. */
function below(entry: IndexedPage): readonly IndexedPage[] {
  const all: IndexedPage[] = [];
  const waiting = [entry];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    all.push(at);
    waiting.push(...at.children);
  }
  return all;
}
