import { chosenLook } from '../choose-look.ts';
import type { IndexedPage } from '../content/page-index.ts';
import type { SpaceContent } from '../content/space-contents.ts';
import type { VariantLocation } from '../locate-path.ts';
import type { ServedSite } from '../served-sites.ts';
import type { SocialCard } from './social-card.ts';

/** What the picture of a page shows. */
export function pageCard(
  served: ServedSite,
  location: VariantLocation,
  { content, page }: { readonly content: SpaceContent; readonly page: IndexedPage },
): SocialCard {
  const look = chosenLook({ served, location });
  return {
    siteTitle: look.title ?? served.site.title,
    title: page.row.title,
    description: page.row.description,
    color: look.styling.primaryColor.light,
    language: content.space.language ?? 'en',
  };
}
