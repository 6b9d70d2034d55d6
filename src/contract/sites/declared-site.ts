import Type, { type Static } from 'typebox';
import { Formed, Id, Url } from '../scalars.ts';
import { SectionTitle } from '../site-structure/site-structure.ts';
import { CustomizationChange } from './customization.ts';
import { Site, SiteTitle, siteVisibilities } from './site.ts';
import { SitePath } from './site-path.ts';

const closed = { additionalProperties: false };

/** Who declares a site, or proposes a change of it: a name that stays the same. */
export const SiteSource = Formed(
  '^[a-z0-9][a-z0-9_-]*$',
  'must be small letters, digits, hyphens and underscores',
  { maxLength: 100 },
);

export const SiteDeclaration = Type.Object(
  {
    source: SiteSource,
    title: SiteTitle,
    basename: Type.Optional(SitePath),
    audience: Type.Optional(
      Type.Enum(['members', ...siteVisibilities], {
        type: 'string',
        description:
          'Who reads it: `members` of the organization (it is not published), or, published, those of a `visibility`. A new site without it is for members.',
      }),
    ),
    sections: Type.Array(
      Type.Object(
        {
          title: Type.Optional(SectionTitle),
          path: Type.Optional(SitePath),
          spaces: Type.Array(Id, { minItems: 1, maxItems: 100, uniqueItems: true }),
        },
        closed,
      ),
      {
        minItems: 1,
        maxItems: 100,
        description: 'In their order, the default one first; each with its variants, the default one first.',
      },
    ),
    customization: Type.Optional(CustomizationChange),
  },
  closed,
);
export type SiteDeclaration = Static<typeof SiteDeclaration>;

export const DeclaredSite = Type.Object(
  {
    object: Type.Literal('declared-site'),
    site: Site,
    address: Type.Unsafe<string>({
      ...Url,
      description: 'Where it is read, also while only members may.',
    }),
  },
  { $id: 'DeclaredSite' },
);
export type DeclaredSite = Static<typeof DeclaredSite>;
