import { languageFolderOf } from './folder-languages.ts';
import { firstWithText, type IndexedPage, samePageIn } from './page-index.ts';
import type { SpaceContent } from './space-contents.ts';
import { pageInLanguage, type UntranslatedPage } from './untranslated-pages.ts';

/** A page as it is linked from another one of its space. */
interface LinkedPage {
  readonly path: string;
  /** Whether it has the headings that the link was written for. */
  readonly hasSameHeadings: boolean;
}

/**
 * Where a link of a page leads for those who read in its language. Pages that are not translated stay in the reader's
 * language; and the links of a page that stands in for its translation lead to translations, where there are some.
 */
export function linkedPage(
  content: SpaceContent,
  from: { readonly page: IndexedPage; readonly untranslated?: UntranslatedPage | null },
  id: string,
): LinkedPage | null {
  const { source } = from.untranslated ?? { source: null };
  if (source !== null) return linkedInVariant(content, source.content, id);
  const linked = content.pages.byId.get(id);
  const shown = linked === undefined ? null : firstWithText(linked);
  if (shown === null) return null;
  const own = { path: shown.row.path, hasSameHeadings: true };
  const folder = from.untranslated?.folder ?? languageFolderOf(content.languages, from.page.row.path);
  const there = folder === null ? null : pageInLanguage(content, folder, shown);
  if (there === null) return own;
  if (!there.isTranslated) return { path: there.path, hasSameHeadings: true };
  return from.untranslated == null ? own : { path: there.path, hasSameHeadings: false };
}

/** As {@link linkedPage}, of an original in a space of its own. */
function linkedInVariant(content: SpaceContent, { pages }: SpaceContent, id: string): LinkedPage | null {
  const linked = pages.byId.get(id);
  const original = linked === undefined ? null : firstWithText(linked);
  if (original === null) return null;
  const translated = samePageIn(content.pages, original);
  return translated === null
    ? { path: original.row.path, hasSameHeadings: true }
    : { path: translated.row.path, hasSameHeadings: false };
}
