import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { ListOf, Paging } from '../paging.ts';
import { ShareLink, ShareLinkName } from './share-link.ts';

const tag = 'Site share links';
const links = '/orgs/:organizationId/sites/:siteId/share-links';
const link = `${links}/:shareLinkId`;
const closed = { additionalProperties: false };

export const siteShareLinkOperations = {
  listShareLinks: defineOperation({
    id: 'listSiteShareLinks',
    method: 'GET',
    path: links,
    tag,
    summary: 'List the share links of a site, oldest first.',
    query: Paging,
    responses: { 200: ListOf(ShareLink) },
    errors: ['role-too-low'],
  }),

  createShareLink: defineOperation({
    id: 'createSiteShareLink',
    method: 'POST',
    path: links,
    tag,
    summary: 'Create a share link; the answer alone has its address.',
    description:
      'It opens the site while that is published with the visibility `share-link`. Only a hash of its key is stored, so keep the address.',
    body: Type.Object({ name: ShareLinkName }, closed),
    responses: { 201: ShareLink },
    errors: ['role-too-low', 'limit-reached'],
  }),

  updateShareLink: defineOperation({
    id: 'updateSiteShareLinkById',
    method: 'PATCH',
    path: link,
    tag,
    summary: 'Rename a share link, or switch it off or on; it opens nothing within a second.',
    body: Type.Object(
      { active: Type.Optional(Type.Boolean()), name: Type.Optional(ShareLinkName) },
      { ...closed, minProperties: 1 },
    ),
    responses: { 200: ShareLink },
    errors: ['role-too-low'],
  }),

  deleteShareLink: defineOperation({
    id: 'deleteSiteShareLinkById',
    method: 'DELETE',
    path: link,
    tag,
    summary: 'Delete a share link.',
    responses: { 204: Type.Void() },
    errors: ['role-too-low'],
  }),
} as const;
