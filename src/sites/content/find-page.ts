import { type LocatedSitePath, locatePath } from '../locate-path.ts';
import type { SiteRequest } from '../site-request.ts';
import { firstWithText, type IndexedPage } from './page-index.ts';
import type { SpaceContent } from './space-contents.ts';
import { type UntranslatedPage, untranslatedAt, untranslatedVariantAt } from './untranslated-pages.ts';

/**
 * Why an address leads to a page: the builder or the host names its file so, the repository redirects it, the page moved, or
 * the page has another address now, such as one without a slash at its end.
 */
export type RedirectCause = 'file' | 'repository redirect' | 'moved page' | 'address of the page';

export interface PageAtPath {
  readonly located: LocatedSitePath;
  readonly content: SpaceContent;
  /** The page that has the path, and the first one at it or below it that has a text. */
  readonly page: IndexedPage;
  readonly shown: IndexedPage;
  /** The part of the page to which a redirect leads. */
  readonly anchor: string | null;
  /** What leads to it from a path that is not its own. */
  readonly foundBy: RedirectCause;
  /** What the reader's language has not, so that the default one stands in for it; null for pages at their own paths. */
  readonly untranslated: UntranslatedPage | null;
}

interface Place {
  readonly located: LocatedSitePath;
  readonly content: SpaceContent;
}

/**
 * The page at a path of a site; else the one that its builder or the repository's host has there: by a name with `.html`,
 * by a redirect, or by the path of its file; or one that was there before it moved; or that of the default language, where
 * the page is not translated. A text is the address elsewhere to which the repository redirects.
 */
export async function findPage(
  {
    structure,
    contents,
    platform,
    pathTargets,
  }: Pick<SiteRequest, 'structure' | 'contents' | 'platform' | 'pathTargets'>,
  path: string,
): Promise<PageAtPath | string | null> {
  const places: Place[] = [];
  for (const located of locatePath(structure, path)) {
    const content = await contents.load(located.siteSpace.row.space);
    if (content === null) continue;
    const found = toFound({ located, content }, pageAt(content, located.pagePath));
    if (found !== null) return found;
    places.push({ located, content });
  }
  for (const place of places) {
    const { located, content } = place;
    const plain = withoutEnding(located.pagePath);
    const named =
      plain === located.pagePath ? null : toFound(place, pageAt(content, plain), { foundBy: 'file' });
    if (named !== null) return named;
    for (const candidate of new Set([located.pagePath, plain])) {
      const led = await pathTargets.find(platform.db, content, candidate);
      if (led?.kind === 'url') return led.url;
      const page = led === null ? null : content.pages.byId.get(led.id);
      const found = toFound(place, page, {
        anchor: led?.anchor ?? null,
        foundBy: led?.hasMoved === true ? 'moved page' : 'repository redirect',
      });
      if (found !== null) return found;
    }
    const ofFile = toFound(place, pageOfFile(content, plain), { foundBy: 'file' });
    if (ofFile !== null) return ofFile;
    const untranslated =
      untranslatedAt(content, plain) ??
      (await untranslatedVariantAt({ structure, contents }, located, plain));
    if (untranslated !== null) {
      const { original } = untranslated;
      const found = { page: original, shown: original, anchor: null, untranslated };
      return { ...place, ...found, foundBy: 'address of the page' };
    }
  }
  return null;
}

function toFound(
  place: Place,
  page: IndexedPage | null | undefined,
  { anchor = null, foundBy = 'address of the page' }: Partial<Pick<PageAtPath, 'anchor' | 'foundBy'>> = {},
): PageAtPath | null {
  const shown = page == null ? null : firstWithText(page);
  return shown === null
    ? null
    : { ...place, page: page ?? shown, shown, anchor, foundBy, untranslated: null };
}

function pageAt({ pages }: SpaceContent, path: string): IndexedPage | null {
  return pages.byPath.get(path) ?? (path === '' ? pages.readingOrder[0] : undefined) ?? null;
}

/** As builders and hosts name the file that they make of a page. */
function withoutEnding(path: string): string {
  return path.replace(/(?:(?:^|\/)index)?\.html?$/, '');
}

/** The page whose file has a path in the space, with or without its ending. */
function pageOfFile({ pages, revision: { directory } }: SpaceContent, path: string): IndexedPage | null {
  const stem = [directory, path].filter((part) => part !== '').join('/');
  for (const end of ['', '.md', '.mdx', '.markdown', '/index.md', '/index.mdx', '/README.md']) {
    const page = pages.byFile.get(stem + end);
    if (page !== undefined) return page;
  }
  return null;
}
