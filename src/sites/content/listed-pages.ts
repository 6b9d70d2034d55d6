import { locationsOf, type VariantLocation } from '../locate-path.ts';
import type { SiteRequest } from '../site-request.ts';
import type { IndexedPage } from './page-index.ts';
import type { SpaceContent } from './space-contents.ts';

/** The pages of one space of a site. */
export interface ListedSpace {
  readonly location: VariantLocation;
  readonly content: SpaceContent;
  /** In reading order, without those that are hidden or that their authors keep from search engines. */
  readonly pages: readonly IndexedPage[];
}

/** The pages that lists for programs name, of each space that this visitor sees. */
export async function listPagesOf({
  structure,
  contents,
}: Pick<SiteRequest, 'structure' | 'contents'>): Promise<readonly ListedSpace[]> {
  const listed: ListedSpace[] = [];
  for (const location of locationsOf(structure)) {
    const content = await contents.load(location.siteSpace.row.space);
    if (content === null) continue;
    const pages = content.pages.readingOrder.filter(({ row }) => row.settings?.noIndex !== true);
    listed.push({ location, content, pages });
  }
  return listed;
}
