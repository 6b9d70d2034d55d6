import type { SiteRow } from '../../store/index.ts';
import type { IndexedPage } from './page-index.ts';

/** Says on every surface what `<meta name="robots">` says in pages. */
const NO_INDEX = { 'x-robots-tag': 'noindex' } as const;

/** Whether search engines are to know the site. */
export function isIndexed({ publishedAt, visibility }: Pick<SiteRow, 'publishedAt' | 'visibility'>): boolean {
  return publishedAt !== null && visibility === 'public';
}

/** Whether search engines are to know a page of the site. */
export function isPageIndexed(
  site: Pick<SiteRow, 'publishedAt' | 'visibility'>,
  { row, isHidden }: Pick<IndexedPage, 'row' | 'isHidden'>,
): boolean {
  const { noIndex, noRobotsIndex } = row.settings ?? {};
  return isIndexed(site) && !isHidden && noIndex !== true && noRobotsIndex !== true;
}

/** The header of what search engines are not to know; none for what they are. */
export function robotsHeaders(isKnown: boolean): Readonly<Record<string, string>> {
  return isKnown ? {} : NO_INDEX;
}
