import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { ListOf, pagingFields } from '../paging.ts';
import { Id } from '../scalars.ts';
import { DeclaredSite, SiteDeclaration } from './declared-site.ts';
import { PublishedContentSite } from './published-site.ts';
import { shareKeyField } from './share-key.ts';
import {
  AdaptiveContent,
  AgentsContext,
  Site,
  SiteHostname,
  SiteProxyOrigin,
  SiteTitle,
  SiteType,
  SiteVisibility,
} from './site.ts';
import { SitePath } from './site-path.ts';

const tag = 'Sites';
const sites = '/orgs/:organizationId/sites';
const site = `${sites}/:siteId`;

export const siteOperations = {
  listSites: defineOperation({
    id: 'listSites',
    method: 'GET',
    path: sites,
    tag,
    summary: 'List the sites of an organization that the caller may see, oldest first.',
    query: Type.Object(
      {
        ...pagingFields,
        space: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'Only sites that show this space.' })),
        title: Type.Optional(
          Type.String({ maxLength: 128, description: 'Only titles that contain this, in any case.' }),
        ),
        published: Type.Optional(Type.Boolean()),
        type: Type.Optional(Type.Array(SiteType, { maxItems: 10 })),
      },
      { additionalProperties: false },
    ),
    responses: { 200: ListOf(Site) },
  }),

  createSite: defineOperation({
    id: 'createSite',
    method: 'POST',
    path: sites,
    tag,
    summary: 'Create a site, which nobody but members sees until it is published.',
    description:
      'Of the `spaces`, the caller must have the role `create` in each; the first one is the default. The `basename` is made from the title.',
    body: Type.Object(
      {
        type: Type.Optional(SiteType),
        title: SiteTitle,
        visibility: SiteVisibility,
        spaces: Type.Optional(Type.Array(Id, { maxItems: 100 })),
      },
      { additionalProperties: false },
    ),
    responses: { 201: Site },
    errors: ['role-too-low', 'limit-reached'],
  }),

  declareSite: defineOperation({
    id: 'declareSite',
    method: 'POST',
    path: `${sites}/declare`,
    tag,
    summary: 'Make the site of a source, such as a repository, or make it as the source says again.',
    description:
      'Calling it again changes nothing. What is absent stays as it is, and so do spaces that others added; a space that the source added and does not name any more is taken out. Of the spaces, the caller must have the role `create` in each; who reads the site is up to its administrators. 409 with the other’s name when the `basename` or a `path` is taken: then nothing is changed.',
    body: SiteDeclaration,
    responses: { 200: DeclaredSite },
    errors: ['role-too-low', 'limit-reached', 'address-taken'],
    extension: true,
  }),

  getSite: defineOperation({
    id: 'getSiteById',
    method: 'GET',
    path: site,
    tag,
    summary: 'Read a site.',
    responses: { 200: Site },
    errors: ['role-too-low'],
  }),

  updateSite: defineOperation({
    id: 'updateSiteById',
    method: 'PATCH',
    path: site,
    tag,
    summary: 'Change a site; what is absent stays as it is.',
    description:
      'Who reads it and where (`visibility`, `proxy`, `hostname`) is up to its administrators. `hostname` is an extension: a host of its own, at whose root it is served once its organization has proved the domain of the host or one above it (`PUT /orgs/{organizationId}/email-domains/{emailDomain}`); until then another site may take it. 409 with the other’s name when a `basename`, a `hostname`, or an address that a new default makes, is taken.',
    body: Type.Object(
      {
        title: Type.Optional(SiteTitle),
        visibility: Type.Optional(SiteVisibility),
        basename: Type.Optional(SitePath),
        adaptiveContent: Type.Optional(AdaptiveContent),
        agentsContext: Type.Optional(AgentsContext),
        defaultSiteSpace: Type.Optional(
          Type.Unsafe<string>({
            ...Id,
            description: 'A site-space at the root, or, in a site with sections, in the default section.',
          }),
        ),
        defaultSiteSection: Type.Optional(Id),
        proxy: Type.Optional(Type.Union([SiteProxyOrigin, Type.Null()])),
        hostname: Type.Optional(Type.Union([SiteHostname, Type.Null()])),
      },
      { additionalProperties: false },
    ),
    responses: { 200: Site },
    errors: ['role-too-low', 'address-taken', 'hostname-taken'],
  }),

  deleteSite: defineOperation({
    id: 'deleteSiteById',
    method: 'DELETE',
    path: site,
    tag,
    summary: 'Delete a site with its structure, links and redirects; its spaces stay.',
    responses: { 204: Type.Void() },
    errors: ['role-too-low'],
  }),

  publishSite: defineOperation({
    id: 'publishSite',
    method: 'POST',
    path: `${site}/publish`,
    tag,
    summary: 'Publish a site to the audience that its `visibility` names.',
    responses: { 200: Site },
    errors: ['role-too-low'],
  }),

  unpublishSite: defineOperation({
    id: 'unpublishSite',
    method: 'POST',
    path: `${site}/unpublish`,
    tag,
    summary: 'Take a site back: only members see it then.',
    responses: { 200: Site },
    errors: ['role-too-low'],
    extension: true,
  }),

  getPublishedSite: defineOperation({
    id: 'getPublishedContentSite',
    method: 'GET',
    path: `${site}/published`,
    tag,
    summary: 'Read all that showing a site takes: the site, its structure and its look.',
    description:
      'For members also before it is published. Everybody with a token reads a published site that is `public` or `unlisted`, or with the `shareKey` one that is `share-link`, without what its conditions hide from visitors of whom nothing is known.',
    query: Type.Object({ ...shareKeyField }, { additionalProperties: false }),
    responses: { 200: PublishedContentSite },
  }),
} as const;
