import type { AnchorQuery, AnchorVerdict, SpaceInput } from '../../format-port/index.ts';
import type { AstroRoutes } from './astro-routes.ts';
import type { AstroConfig } from './starlight-config.ts';

/** A site whose configuration and pages are known. */
export interface StarlightSite {
  readonly space: SpaceInput;
  readonly config: AstroConfig;
  readonly routes: AstroRoutes;
  /** Whether the host leads an address on. */
  readonly isRedirected: (address: string) => boolean;
  readonly checkAnchor: (question: AnchorQuery) => AnchorVerdict;
}
