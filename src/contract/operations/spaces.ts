import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { ListOf, ListWith, Paging, pagingFields } from '../paging.ts';
import { Link, LinkStats, LinkStatus } from '../resources/link.ts';
import { EditMode, Space } from '../resources/space.ts';
import { Id, Role, Title } from '../scalars.ts';

const tag = 'Spaces';
const Emoji = Type.String({ minLength: 1, maxLength: 32 });
const Language = Type.String({ minLength: 2, maxLength: 35 });
const ShareKey = Type.Object(
  {
    shareKey: Type.Optional(
      Type.String({ maxLength: 256, description: 'Resolves the published addresses of a shared site.' }),
    ),
  },
  { additionalProperties: false },
);

/** What a list of links can be narrowed by. */
export const LinkQuery = Type.Object(
  { ...pagingFields, status: Type.Optional(LinkStatus) },
  { additionalProperties: false },
);
export const LinkList = ListWith(Link, { stats: LinkStats });

export const listSpaces = defineOperation({
  id: 'listSpacesInOrganization',
  method: 'GET',
  path: '/orgs/:organizationId/spaces',
  tag,
  summary: 'List the spaces of an organization that the caller may see.',
  query: Paging,
  responses: { 200: ListOf(Space) },
  errors: [400, 404],
});

export const createSpace = defineOperation({
  id: 'createSpace',
  method: 'POST',
  path: '/orgs/:organizationId/spaces',
  tag,
  summary: 'Create an empty space.',
  body: Type.Object(
    {
      title: Title,
      emoji: Type.Optional(Emoji),
      parent: Type.Optional(Id),
      language: Type.Optional(Language),
      editMode: Type.Optional(EditMode),
    },
    { additionalProperties: false },
  ),
  responses: { 201: Space },
  errors: [400, 403, 404, 413, 415],
  extension: true,
});

export const getSpace = defineOperation({
  id: 'getSpace',
  method: 'GET',
  path: '/spaces/:spaceId',
  tag,
  summary: 'Read a space.',
  query: ShareKey,
  responses: { 200: Space },
  errors: [400, 404],
});

export const updateSpace = defineOperation({
  id: 'updateSpace',
  method: 'PATCH',
  path: '/spaces/:spaceId',
  tag,
  summary: 'Change a space; what is absent stays as it is.',
  body: Type.Object(
    {
      title: Type.Optional(Title),
      emoji: Type.Optional(Emoji),
      language: Type.Optional(Language),
      editMode: Type.Optional(EditMode),
      defaultLevel: Type.Optional(Role),
    },
    { additionalProperties: false },
  ),
  responses: { 200: Space },
  errors: [400, 403, 404, 413, 415],
});

export const deleteSpace = defineOperation({
  id: 'deleteSpace',
  method: 'DELETE',
  path: '/spaces/:spaceId',
  tag,
  summary: 'Delete a space; it is gone for good after 7 days.',
  responses: { 204: Type.Void() },
  errors: [403],
});

export const listSpaceLinks = defineOperation({
  id: 'listSpaceLinks',
  method: 'GET',
  path: '/spaces/:spaceId/links',
  tag,
  summary: 'List the links of all pages of a space, each with what the link check found.',
  query: LinkQuery,
  responses: { 200: LinkList },
  errors: [400, 404],
  conditional: true,
});
