import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { ListOf, pagingFields } from '../paging.ts';
import { Url } from '../scalars.ts';
import { shareKeyField } from '../sites/share-key.ts';
import { RedirectDestination, RedirectSource, SiteRedirect } from './redirect.ts';

const tag = 'Sites';
const site = '/orgs/:organizationId/sites/:siteId';
const redirects = `${site}/redirects`;
const redirect = `${redirects}/:siteRedirectId`;
const closed = { additionalProperties: false };
const extension = true;

export const siteRedirectOperations = {
  listRedirects: defineOperation({
    id: 'listSiteRedirects',
    method: 'GET',
    path: redirects,
    tag,
    summary: 'List the redirects of a site, oldest first.',
    query: Type.Object(
      {
        ...pagingFields,
        search: Type.Optional(
          Type.String({ maxLength: 512, description: 'Only sources that contain this, in any case.' }),
        ),
        dead: Type.Optional(
          Type.Boolean({
            description:
              '`true`: only those whose section, space or page is no longer there, which lead nowhere. `false`: only the others.',
          }),
        ),
      },
      closed,
    ),
    responses: { 200: ListOf(SiteRedirect) },
    errors: ['role-too-low'],
    extension,
  }),

  createRedirect: defineOperation({
    id: 'createSiteRedirect',
    method: 'POST',
    path: redirects,
    tag,
    summary: 'Redirect an address of a site, or everything below it, to a section, a space or a page.',
    description:
      'A page that is there goes before a redirect, and pages that were moved need none. 409 when the source has one already.',
    body: Type.Object({ source: RedirectSource, destination: RedirectDestination }, closed),
    responses: { 201: SiteRedirect },
    errors: ['role-too-low', 'address-taken', 'limit-reached'],
    extension,
  }),

  updateRedirect: defineOperation({
    id: 'updateSiteRedirectById',
    method: 'PATCH',
    path: redirect,
    tag,
    summary: 'Change a redirect; what is absent stays as it is.',
    body: Type.Object(
      { source: Type.Optional(RedirectSource), destination: Type.Optional(RedirectDestination) },
      closed,
    ),
    responses: { 200: SiteRedirect },
    errors: ['role-too-low', 'address-taken'],
    extension,
  }),

  deleteRedirect: defineOperation({
    id: 'deleteSiteRedirectById',
    method: 'DELETE',
    path: redirect,
    tag,
    summary: 'Delete a redirect.',
    responses: { 204: Type.Void() },
    errors: ['role-too-low'],
    extension,
  }),

  getRedirectBySource: defineOperation({
    id: 'getSiteRedirectBySource',
    method: 'GET',
    path: `${site}/redirect`,
    tag,
    summary: 'Read the redirect that an address of a site has, with where it leads.',
    description:
      'Its own one goes before the nearest of those above it. 404 when it has none, or when what it led to is gone.',
    query: Type.Object({ ...shareKeyField, source: Type.String({ minLength: 1, maxLength: 2_048 }) }, closed),
    responses: { 200: Type.Object({ redirect: SiteRedirect, target: Url }) },
    extension,
  }),
} as const;
