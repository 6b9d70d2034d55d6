import type { VariantLocation } from '../locate-path.ts';
import type { SiteRequest } from '../site-request.ts';
import { originalVariantOf, variantsBeside } from './current-variant.ts';
import { languageFolderOf, pathInFolder, standardPathOf } from './folder-languages.ts';
import { hasText, type IndexedPage, type PageIndex } from './page-index.ts';
import type { SpaceContent } from './space-contents.ts';

type Content = Pick<SpaceContent, 'space' | 'pages' | 'languages'>;

/** A page of the default language that is shown at an address of another one, in which it is not translated. */
export interface UntranslatedPage {
  readonly path: string;
  readonly original: IndexedPage;
  /** The folder of the reader's language; null where each language is a space of its own. */
  readonly folder: string | null;
  /** The space of the original; null where it is that of the reader's language, too. */
  readonly source: TextSource | null;
}

/** The space of a page, and where that is on the site. */
export interface TextSource {
  readonly location: VariantLocation;
  readonly content: SpaceContent;
}

/** Where the text of a page comes from: the space in which it is read, or that of the original for which it stands in. */
export function textSourceOf({
  location,
  content,
  untranslated,
}: TextSource & { readonly untranslated?: UntranslatedPage | null }): TextSource {
  return untranslated?.source ?? { location, content };
}

/** The part of a navigation that belongs to one language. */
interface LanguagePart {
  readonly root: IndexedPage;
  /** What is read one after another: translated pages, and those of the default language between them. */
  readonly order: readonly { readonly title: string; readonly path: string }[];
  /** By the paths of pages: where each is in `order`. */
  readonly positions: ReadonlyMap<string, number>;
  /** The entries of the navigation for what is not translated, by the paths of those pages. */
  readonly entries: ReadonlyMap<string, IndexedPage>;
}

/** The language of what is at a path of a space: that of its folder, else of the space. */
export function languageAt(content: Pick<Content, 'space' | 'languages'>, path: string): string {
  return knownLanguageAt(content, path) ?? 'en';
}

/** As {@link languageAt}; null where nothing says it. */
export function knownLanguageAt(
  { space, languages }: Pick<Content, 'space' | 'languages'>,
  path: string,
): string | null {
  const folder = languageFolderOf(languages, path);
  const ofFolder = folder === null ? undefined : languages?.others.get(folder);
  return ofFolder ?? space.language ?? languages?.standard.language ?? null;
}

/** What a reader of a language sees at a path without a translation; null where the builder has nothing there either. */
export function untranslatedAt(content: Content, path: string): UntranslatedPage | null {
  const { languages, pages } = content;
  const folder = languageFolderOf(languages, path);
  if (languages === null || folder === null || languagePart(content, folder) === null) return null;
  const translated = pages.byPath.get(path);
  if (translated !== undefined && hasText(translated.row)) return null;
  const standardPath = standardPathOf(languages, path);
  const original = standardPath === null ? undefined : pages.byPath.get(standardPath);
  return original === undefined || !hasText(original.row) ? null : { path, original, folder, source: null };
}

/** As {@link untranslatedAt}, where each language is a space of its own. */
export async function untranslatedVariantAt(
  { structure, contents }: Pick<SiteRequest, 'structure' | 'contents'>,
  { section, siteSpace }: VariantLocation,
  path: string,
): Promise<UntranslatedPage | null> {
  const variant = originalVariantOf(variantsBeside(structure, { section }), siteSpace);
  const content = variant === null ? null : await contents.load(variant.row.space);
  const original = content?.pages.byPath.get(path);
  if (variant === null || content === null || original === undefined || !hasText(original.row)) return null;
  return { path, original, folder: null, source: { location: { section, siteSpace: variant }, content } };
}

/** Where a page of the default language is for readers of another one, and whether it is translated there. */
export function pageInLanguage(
  content: Content,
  folder: string,
  page: IndexedPage,
): { readonly path: string; readonly isTranslated: boolean } | null {
  const { languages, pages } = content;
  if (languages === null || !hasText(page.row)) return null;
  const path = pathInFolder(languages, folder, page.row.path);
  if (path === null) return null;
  const translated = pages.byPath.get(path);
  return { path, isTranslated: translated !== undefined && hasText(translated.row) };
}

/** The pages that say the same in the languages of their space, each with its language; none in a space with only one. */
export function translationsOf(
  content: Content,
  page: IndexedPage,
): readonly { readonly language: string; readonly page: IndexedPage }[] {
  const { languages, pages } = content;
  if (languages === null) return [];
  const { path } = page.row;
  const original = languageFolderOf(languages, path) === null ? path : standardPathOf(languages, path);
  if (original === null) return [];
  const paths = [...languages.others.keys()].map((folder) => pathInFolder(languages, folder, original));
  return [original, ...paths].flatMap((there) => {
    const found = there === null ? undefined : pages.byPath.get(there);
    return found === undefined || !hasText(found.row)
      ? []
      : [{ language: languageAt(content, found.row.path), page: found }];
  });
}

const known = new WeakMap<PageIndex, Map<string, LanguagePart | null>>();

/** The navigation of a language other than the default one; null where none of its pages are there. */
export function languagePart(content: Content, folder: string): LanguagePart | null {
  const { pages } = content;
  const parts = known.get(pages) ?? new Map<string, LanguagePart | null>();
  known.set(pages, parts);
  const found = parts.get(folder);
  if (found !== undefined) return found;
  const made = makePart(content, folder);
  parts.set(folder, made);
  return made;
}

/** The folder of the language to which an entry of the navigation belongs; null for the default language. */
export function folderOfEntry(content: Content, page: IndexedPage): string | null {
  let root = page;
  while (root.parent !== null) root = root.parent;
  for (const folder of content.languages?.others.keys() ?? [])
    if (languagePart(content, folder)?.root === root) return folder;
  return null;
}

function makePart(content: Content, folder: string): LanguagePart | null {
  const { pages, languages } = content;
  const isInside = ({ row }: IndexedPage) => hasText(row) && languageFolderOf(languages, row.path) === folder;
  let root = pages.byId.values().find(isInside);
  if (root === undefined) return null;
  while (root.parent !== null) root = root.parent;
  const order: { readonly title: string; readonly path: string }[] = [];
  const positions = new Map<string, number>();
  const entries = new Map<string, IndexedPage>();
  const add = (title: string, path: string) => {
    if (positions.has(path)) return;
    positions.set(path, order.length);
    order.push({ title, path });
  };
  const waiting: IndexedPage[] = [root];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    waiting.push(...at.children.toReversed());
    if (at.isHidden) continue;
    if (hasText(at.row)) {
      add(at.row.title, at.row.path);
      continue;
    }
    const [target, fragment] = at.row.type === 'link' ? insideOf(at.row.href) : [];
    const original = target === undefined ? undefined : pages.byPath.get(target);
    const there = original === undefined ? null : pageInLanguage(content, folder, original);
    if (there === null || there.isTranslated || fragment !== undefined) continue;
    if (!entries.has(there.path)) entries.set(there.path, at);
    add(at.row.title, there.path);
  }
  return { root, order, positions, entries };
}

/** The path and the fragment of an address in the same space; nothing for others. */
export function insideOf(href: string | null): readonly [path?: string, fragment?: string] {
  if (href === null || !/^\/(?!\/)/.test(href)) return [];
  const [path = '', fragment] = href.replace(/^\/+/, '').split('#');
  return fragment === undefined ? [path.replace(/\/$/, '')] : [path.replace(/\/$/, ''), fragment];
}
