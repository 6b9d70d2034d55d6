import type { AnchorQuery, AnchorVerdict, SpaceInput } from '../../format-port/index.ts';
import type { AstroRoutes } from './astro-routes.ts';
import type { AstroConfig } from './starlight-config.ts';

/** What the rules need to know of a site and its pages. */
export interface StarlightSite {
  readonly space: SpaceInput;
  readonly config: AstroConfig;
  readonly routes: AstroRoutes;
  /** Whether the site's host redirects an address. */
  readonly isRedirected: (address: string) => boolean;
  readonly checkAnchor: (query: AnchorQuery) => AnchorVerdict;
}
