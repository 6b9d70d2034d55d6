import Type, { type Static } from 'typebox';
import { SiteStructure } from '../site-structure/site-structure.ts';
import { SiteCustomization } from './customization.ts';
import { Site } from './site.ts';

/** All that showing a published site takes. */
export const PublishedContentSite = Type.Object(
  {
    object: Type.Literal('published-content-site'),
    site: Site,
    structure: SiteStructure,
    customizations: Type.Object({
      site: SiteCustomization,
      siteSpaces: Type.Record(Type.String(), SiteCustomization, {
        description: 'By the id of each site-space whose look differs from that of the site.',
      }),
    }),
    scripts: Type.Array(
      Type.Object({
        script: Type.String(),
        contentSecurityPolicy: Type.Optional(Type.String()),
        cookies: Type.Boolean(),
      }),
      { description: 'Always empty: sites run no scripts of others.' },
    ),
  },
  { $id: 'PublishedContentSite' },
);
export type PublishedContentSite = Static<typeof PublishedContentSite>;
