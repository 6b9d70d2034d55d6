import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { ListOf, Paging, pagingFields } from '../paging.ts';
import { Id } from '../scalars.ts';
import { shareKeyField } from '../sites/share-key.ts';
import { SitePath } from '../sites/site-path.ts';
import {
  ConditionInput,
  IconInput,
  SectionGroupTitle,
  SectionTitle,
  SiteSection,
  SiteSectionGroup,
  SiteSpace,
  SiteStructure,
  SiteStructureItem,
} from './site-structure.ts';

const site = '/orgs/:organizationId/sites/:siteId';
const closed = { additionalProperties: false };

const SpacePointer = Type.Object({ type: Type.Literal('site-space'), siteSpace: Id }, closed);
const SectionPointer = Type.Object({ type: Type.Literal('site-section'), siteSection: Id }, closed);
const GroupNeighbour = Type.Object(
  { type: Type.Enum(['site-section', 'site-section-group'], { type: 'string' }), id: Id },
  closed,
);
const ItemPointer = Type.Object(
  { type: Type.Enum(['site-space', 'site-section', 'site-section-group'], { type: 'string' }), id: Id },
  closed,
);

const positionText =
  'Directly `before` or directly `after` a neighbour; with both, the two must be adjacent. Without either it goes to the end.';

const positionOf = <Pointer extends Parameters<typeof Type.Optional>[0]>(pointer: Pointer) =>
  Type.Object(
    { before: Type.Optional(pointer), after: Type.Optional(pointer) },
    { ...closed, description: positionText },
  );

const groupTag = 'Site section groups';
const groups = `${site}/section-groups`;
const group = `${groups}/:siteSectionGroupId`;
const sectionTag = 'Site sections';
const sections = `${site}/sections`;
const section = `${sections}/:siteSectionId`;
const spaceTag = 'Site spaces';
const spaces = `${site}/site-spaces`;
const siteSpace = `${spaces}/:siteSpaceId`;

const sectionGroupOperations = {
  listSectionGroups: defineOperation({
    id: 'listSiteSectionGroups',
    method: 'GET',
    path: groups,
    tag: groupTag,
    summary: 'List the section groups of a site, those in other groups included.',
    query: Paging,
    responses: { 200: ListOf(SiteSectionGroup) },
    errors: ['role-too-low'],
  }),

  addSectionGroup: defineOperation({
    id: 'addSectionGroupToSite',
    method: 'POST',
    path: groups,
    tag: groupTag,
    summary: 'Add a section group, with `sections` moved into it.',
    description: 'Groups nest at most 8 levels deep.',
    body: Type.Object(
      {
        title: SectionGroupTitle,
        icon: Type.Optional(IconInput),
        sections: Type.Optional(Type.Array(Id, { maxItems: 500 })),
        parent: Type.Optional(Id),
      },
      closed,
    ),
    responses: { 201: SiteSectionGroup },
    errors: ['role-too-low', 'limit-reached'],
  }),

  updateSectionGroup: defineOperation({
    id: 'updateSiteSectionGroupById',
    method: 'PATCH',
    path: group,
    tag: groupTag,
    summary: 'Change a section group; what is absent stays as it is.',
    body: Type.Object({ title: Type.Optional(SectionGroupTitle), icon: Type.Optional(IconInput) }, closed),
    responses: { 200: SiteSectionGroup },
    errors: ['role-too-low'],
  }),

  deleteSectionGroup: defineOperation({
    id: 'deleteSiteSectionGroupById',
    method: 'DELETE',
    path: group,
    tag: groupTag,
    summary: 'Delete a section group; what is in it moves up to its place.',
    responses: { 204: Type.Void() },
    errors: ['role-too-low'],
  }),

  addSectionToGroup: defineOperation({
    id: 'addSectionToGroup',
    method: 'POST',
    path: `${group}/sections`,
    tag: groupTag,
    summary: 'Move a section to the end of a group.',
    body: Type.Object({ sectionId: Id }, closed),
    responses: { 201: SiteSectionGroup },
    errors: ['role-too-low'],
  }),

  removeSectionFromGroup: defineOperation({
    id: 'removeSectionFromGroup',
    method: 'DELETE',
    path: `${group}/sections/:siteSectionId`,
    tag: groupTag,
    summary: 'Move a section out of a group, to the end of what is above the group.',
    responses: { 204: Type.Void() },
    errors: ['role-too-low'],
  }),

  moveSectionGroup: defineOperation({
    id: 'moveSiteSectionGroup',
    method: 'POST',
    path: `${group}/move`,
    tag: groupTag,
    summary: 'Move a section group beside another one or a section, also in another group.',
    body: Type.Object({ position: positionOf(GroupNeighbour) }, closed),
    responses: { 200: SiteSectionGroup },
    errors: ['role-too-low', 'position-invalid', 'nothing-to-change'],
    extension: true,
  }),
} as const;

const sectionOperations = {
  listSections: defineOperation({
    id: 'listSiteSections',
    method: 'GET',
    path: sections,
    tag: sectionTag,
    summary: 'List the sections of a site, those in groups included.',
    query: Type.Object({ ...shareKeyField, ...pagingFields }, closed),
    responses: { 200: ListOf(SiteSection) },
  }),

  addSection: defineOperation({
    id: 'addSectionToSite',
    method: 'POST',
    path: sections,
    tag: sectionTag,
    summary: 'Add a section with a space as its first variant.',
    description:
      'Without `title` it has that of the space, and its `path` is made from it. The first section of a site that has spaces at its root becomes the second one: those spaces go before it, into a section that is the default. The caller must have the role `create` in the space.',
    body: Type.Object(
      {
        spaceId: Id,
        title: Type.Optional(Type.Union([SectionTitle, Type.Null()])),
        icon: Type.Optional(IconInput),
      },
      closed,
    ),
    responses: { 201: SiteSection },
    errors: ['role-too-low', 'limit-reached'],
  }),

  updateSection: defineOperation({
    id: 'updateSiteSectionById',
    method: 'PATCH',
    path: section,
    tag: sectionTag,
    summary: 'Change a section; what is absent stays as it is.',
    description: '409 with the other’s name when the `path` is taken.',
    body: Type.Object(
      {
        title: Type.Optional(SectionTitle),
        path: Type.Optional(SitePath),
        defaultSiteSpace: Type.Optional(Id),
        condition: Type.Optional(ConditionInput),
        icon: Type.Optional(IconInput),
        description: Type.Optional(Type.Union([Type.String({ maxLength: 256 }), Type.Null()])),
      },
      closed,
    ),
    responses: { 200: SiteSection },
    errors: ['role-too-low', 'address-taken'],
  }),

  deleteSection: defineOperation({
    id: 'deleteSiteSectionById',
    method: 'DELETE',
    path: section,
    tag: sectionTag,
    summary: 'Delete a section, with its variants; their spaces stay.',
    responses: { 204: Type.Void() },
    errors: ['role-too-low'],
  }),

  moveSection: defineOperation({
    id: 'moveSiteSection',
    method: 'POST',
    path: `${section}/move`,
    tag: sectionTag,
    summary: 'Move a section beside another one, also in another group. Deprecated: sort the structure.',
    body: Type.Object({ position: positionOf(SectionPointer) }, closed),
    responses: { 200: SiteSection },
    errors: ['role-too-low', 'position-invalid', 'nothing-to-change'],
  }),
} as const;

const siteSpaceOperations = {
  listSiteSpaces: defineOperation({
    id: 'listSiteSpaces',
    method: 'GET',
    path: spaces,
    tag: spaceTag,
    summary: 'List the spaces of a site, in all its sections.',
    query: Type.Object(
      {
        ...shareKeyField,
        ...pagingFields,
        default: Type.Optional(
          Type.Boolean({ description: 'Only defaults of their section or site, or only the others.' }),
        ),
      },
      closed,
    ),
    responses: { 200: ListOf(SiteSpace) },
  }),

  addSiteSpace: defineOperation({
    id: 'addSpaceToSite',
    method: 'POST',
    path: spaces,
    tag: spaceTag,
    summary: 'Add a space to a site, as a variant.',
    description:
      'Without `sectionId` it goes into the default section, or to the root of a site without sections. Its `path` is made from the title. The caller must have the role `create` in the space: what the site shows, its readers see.',
    body: Type.Object({ spaceId: Id, sectionId: Type.Optional(Id) }, closed),
    responses: { 201: SiteSpace },
    errors: ['role-too-low', 'limit-reached'],
  }),

  updateSiteSpace: defineOperation({
    id: 'updateSiteSpaceById',
    method: 'PATCH',
    path: siteSpace,
    tag: spaceTag,
    summary: 'Change a space in a site; what is absent stays as it is.',
    description: '409 with the other’s name when the `path` is taken.',
    body: Type.Object(
      {
        path: Type.Optional(SitePath),
        condition: Type.Optional(ConditionInput),
        spaceId: Type.Optional(Id),
      },
      closed,
    ),
    responses: { 200: SiteSpace },
    errors: ['role-too-low', 'address-taken'],
  }),

  deleteSiteSpace: defineOperation({
    id: 'deleteSiteSpaceById',
    method: 'DELETE',
    path: siteSpace,
    tag: spaceTag,
    summary: 'Take a space out of a site; the space stays.',
    responses: { 204: Type.Void() },
    errors: ['role-too-low'],
  }),

  moveSiteSpace: defineOperation({
    id: 'moveSiteSpace',
    method: 'POST',
    path: `${siteSpace}/move`,
    tag: spaceTag,
    summary: 'Move a space among those of its section, or of the site’s root.',
    body: Type.Object({ position: positionOf(SpacePointer) }, closed),
    responses: { 200: SiteSpace },
    errors: ['role-too-low', 'position-invalid', 'nothing-to-change'],
  }),
} as const;

export const siteStructureOperations = {
  getSiteStructure: defineOperation({
    id: 'getSiteStructure',
    method: 'GET',
    path: `${site}/structure`,
    tag: 'Sites',
    summary: 'Read the sections and groups of a site, or its spaces where it has no sections.',
    query: Type.Object({ ...shareKeyField }, closed),
    responses: { 200: SiteStructure },
    extension: true,
  }),

  sortSiteStructure: defineOperation({
    id: 'sortSiteStructure',
    method: 'PATCH',
    path: `${site}/structure/sort`,
    tag: 'Sites',
    summary: 'Move a group, a section or a space of a site beside another one.',
    description: 'Groups and sections also move into the group of their new neighbour.',
    body: Type.Object({ item: ItemPointer, position: positionOf(ItemPointer) }, closed),
    responses: { 200: SiteStructureItem },
    errors: ['role-too-low', 'position-invalid', 'nothing-to-change'],
    extension: true,
  }),

  ...siteSpaceOperations,
  ...sectionOperations,
  ...sectionGroupOperations,
} as const;
