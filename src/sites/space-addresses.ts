import type { RevisionOrigin } from '../store/index.ts';
import type { PageElsewhere } from './content/pages-elsewhere.ts';
import type { SpaceAddresses } from './content/render-site-body.ts';
import type { SpaceContent } from './content/space-contents.ts';
import type { VariantLocation } from './locate-path.ts';
import type { SiteAddresses } from './site-addresses.ts';

export interface SpaceOnSite {
  readonly location: VariantLocation;
  readonly content: SpaceContent;
  readonly addresses: SiteAddresses;
  readonly elsewhere: ReadonlyMap<string, PageElsewhere>;
}

/** Where a page of a space finds what it links to. @param page where other pages of the space are */
export function spaceAddresses(
  { location, content, addresses, elsewhere }: SpaceOnSite,
  page: SpaceAddresses['page'],
): SpaceAddresses {
  const host = repositoryOf(content.revision.origin)?.htmlHost;
  return {
    page,
    title: (id) => content.pages.byId.get(id)?.row.title ?? null,
    file: (id) => addresses.below('~', 'files', location.siteSpace.row.id, id),
    isSource: (address) => host !== undefined && URL.parse(address)?.host === host,
    elsewhere: (url) => elsewhere.get(url) ?? null,
  };
}

/** The repository of a revision, where it is known. */
export function repositoryOf(origin: unknown): RevisionOrigin['repository'] {
  return (origin as RevisionOrigin).repository;
}
