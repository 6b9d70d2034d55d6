import Type, { type Static } from 'typebox';
import { Formed, GivenName, Id, Url } from '../scalars.ts';
import { Space } from '../spaces/space.ts';

/** An expression over the visitor: what it decides is there for those for whom it is true. */
export const Condition = Type.String({
  maxLength: 1024,
  description:
    'An expression such as `visitor.claims.plan == "pro"`; what is below it is there where it is true.',
});

export const ConditionInput = Type.Union([Condition, Type.Null()]);

export const SectionTitle = GivenName({ minLength: 2, maxLength: 128 });
export const SectionGroupTitle = GivenName({ minLength: 1, maxLength: 100 });

/** The name of an icon; null removes it. */
export const Icon = Formed('^[A-Za-z0-9][A-Za-z0-9:_-]*$', 'must be the name of an icon, such as book-open', {
  maxLength: 50,
});
export const IconInput = Type.Union([Icon, Type.Null()]);

const PublishedUrl = Type.Object(
  { published: Type.Optional(Url) },
  { description: '`published` is absent until the site is published.' },
);

/** A space in a site: a variant of a section, or of the whole site where that has no sections. */
export const SiteSpace = Type.Object(
  {
    object: Type.Literal('site-space'),
    id: Id,
    path: Type.String(),
    section: Type.Optional(Id),
    space: Space,
    title: Type.String(),
    default: Type.Boolean({
      description:
        'Whether its section, or a site without sections, shows it first, at an address without its path.',
    }),
    condition: Type.Optional(Type.String()),
    hasAdvancedCustomizationFeature: Type.Boolean({
      description: 'Whether its look differs from that of the site.',
    }),
    urls: PublishedUrl,
  },
  { $id: 'SiteSpace' },
);
export type SiteSpace = Static<typeof SiteSpace>;

export const SiteSection = Type.Object(
  {
    object: Type.Literal('site-section'),
    id: Id,
    title: Type.String(),
    description: Type.Optional(Type.String()),
    default: Type.Boolean(),
    path: Type.String(),
    condition: Type.Optional(Type.String()),
    sectionGroup: Type.Optional(Id),
    icon: Type.Optional(Type.String()),
    siteSpaces: Type.Array(SiteSpace),
    urls: PublishedUrl,
  },
  { $id: 'SiteSection' },
);
export type SiteSection = Static<typeof SiteSection>;

const GroupFields = Type.Object({
  object: Type.Literal('site-section-group'),
  id: Id,
  title: Type.String(),
  icon: Type.Optional(Type.String()),
  sectionGroup: Type.Optional(Id),
  sections: Type.Array(SiteSection, { description: 'Those of `children` that are sections.' }),
});

export interface SiteSectionGroup extends Static<typeof GroupFields> {
  children: (SiteSection | SiteSectionGroup)[];
}

export const SiteSectionGroup = Type.Unsafe<SiteSectionGroup>(
  Type.Object(
    {
      ...GroupFields.properties,
      children: Type.Array(Type.Union([SiteSection, Type.Ref('SiteSectionGroup#')]), {
        description: 'Sections and groups, in their order.',
      }),
    },
    { $id: 'SiteSectionGroup' },
  ),
);

/** A site with sections, or one with spaces at its root. */
export const SiteStructure = Type.Union(
  [
    Type.Object({
      type: Type.Literal('sections'),
      structure: Type.Array(Type.Union([SiteSection, SiteSectionGroup])),
    }),
    Type.Object({ type: Type.Literal('siteSpaces'), structure: Type.Array(SiteSpace) }),
  ],
  { $id: 'SiteStructure' },
);
export type SiteStructure = Static<typeof SiteStructure>;

export const SiteStructureItem = Type.Union([SiteSpace, SiteSection, SiteSectionGroup], {
  $id: 'SiteStructureItem',
});
