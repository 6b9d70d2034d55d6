import { LRUCache } from 'lru-cache';
import {
  folderOfLanguage,
  languageFolderOf,
  pathInFolder,
  standardPathOf,
} from './content/folder-languages.ts';
import { hasText, type IndexedPage } from './content/page-index.ts';
import {
  languageAt,
  languagePart,
  type TextSource,
  type UntranslatedPage,
  untranslatedAt,
} from './content/untranslated-pages.ts';
import type { SiteAddresses } from './site-addresses.ts';
import type { VariantLink } from './views/site-page.ts';

interface Input extends TextSource {
  /** Null where no page is open. */
  readonly page: IndexedPage | null;
  readonly untranslated?: UntranslatedPage | null;
  readonly addresses: SiteAddresses;
}

/** The languages that have folders in a space, each with the page that is read; none where there is only one. */
export function languageLinks(input: Input, current: string): readonly VariantLink[] {
  const { content, location, addresses } = input;
  const { languages } = content;
  const folders = [...(languages?.others.keys() ?? [])].filter(
    (folder) => languagePart(content, folder) !== null,
  );
  if (languages === null || folders.length === 0) return [];
  const shown = folderOfLanguage(languages, current);
  const tags = [null, ...folders].map((folder) => ({
    folder,
    tag: folder === null ? languageAt(content, '') : (languages.others.get(folder) ?? folder),
  }));
  return tags.map(({ folder, tag }) => {
    const there = pathThere(input, folder);
    return {
      title: languageName(
        tag,
        tags.map((each) => each.tag),
      ),
      href: addresses.below(location.siteSpace.path, there ?? homeOf(input, folder)),
      language: tag,
      isCurrent: folder === shown,
      hasPage: there !== null || input.page === null,
    };
  });
}

/** The path of the page in another language, or of what stands in for it there; null where neither is. */
function pathThere({ content, page, untranslated }: Input, folder: string | null): string | null {
  const { languages } = content;
  if (page === null || languages === null) return null;
  const path = untranslated?.path ?? page.row.path;
  if (languageFolderOf(languages, path) === folder) return path;
  const original = languageFolderOf(languages, path) === null ? path : standardPathOf(languages, path);
  const there = original === null || folder === null ? original : pathInFolder(languages, folder, original);
  return there !== null && isShownAt(content, there) ? there : null;
}

function homeOf({ content }: Input, folder: string | null): string {
  const { languages } = content;
  const home = folder ?? languages?.standard.folder ?? '';
  if (isShownAt(content, home) || folder === null) return home;
  return languagePart(content, folder)?.order[0]?.path ?? '';
}

function isShownAt(content: Input['content'], path: string): boolean {
  const own = content.pages.byPath.get(path);
  return (own !== undefined && hasText(own.row)) || untranslatedAt(content, path) !== null;
}

/** In the language itself; with its region only where that tells it from another one. */
function languageName(tag: string, all: readonly string[]): string {
  const languageOf = (each: string) => each.split('-', 1)[0] ?? each;
  const isAlone = all.filter((each) => languageOf(each) === languageOf(tag)).length === 1;
  const named = isAlone ? languageOf(tag) : tag;
  const name = namesIn.memo(tag).of(named) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}

/** The names of languages in a language: of each that a site has, on each of its pages. */
const namesIn = new LRUCache<string, Intl.DisplayNames>({
  max: 100,
  memoMethod: (tag) => new Intl.DisplayNames([tag], { type: 'language' }),
});
