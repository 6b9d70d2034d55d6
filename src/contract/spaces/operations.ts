import Type from 'typebox';
import { SpaceLanguage } from '../language.ts';
import { defineOperation } from '../operation.ts';
import { MergeRulesInput } from '../organizations/merge-rules.ts';
import { ListOf, Paging, pagingFields } from '../paging.ts';
import { NewParent, Position } from '../position.ts';
import { DefaultLevel, Id, Title } from '../scalars.ts';
import { EditMode, Space, Visibility } from './space.ts';
import { SpaceOverview } from './space-overview.ts';

const tag = 'Spaces';
const Emoji = Type.String({ minLength: 1, maxLength: 32 });
const ShareKey = Type.Object(
  {
    shareKey: Type.Optional(
      Type.String({ maxLength: 256, description: 'Resolves the published addresses of a shared site.' }),
    ),
  },
  { additionalProperties: false },
);

export const spaceOperations = {
  listSpaces: defineOperation({
    id: 'listSpacesInOrganization',
    method: 'GET',
    path: '/orgs/:organizationId/spaces',
    tag,
    summary: 'List the spaces of an organization that the caller may see.',
    description:
      'With `deleted` (an extension), the deleted spaces that can still be restored, as far as the caller may restore them. With `title` (an extension), those whose title contains it; case is ignored.',
    query: Type.Object(
      {
        ...pagingFields,
        deleted: Type.Optional(Type.Boolean()),
        title: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      },
      { additionalProperties: false },
    ),
    responses: { 200: ListOf(Space) },
  }),

  listSpaceOverviews: defineOperation({
    id: 'listSpaceOverviewsInOrganization',
    method: 'GET',
    path: '/orgs/:organizationId/space-overviews',
    tag,
    summary: 'List the spaces of an organization as its dashboard shows them.',
    description:
      'The same spaces as `listSpaces`, in the same order, each with what is live and its last sync: one call instead of several for each space. The last sync is absent where the caller may not list the operations of a space.',
    query: Paging,
    responses: { 200: ListOf(SpaceOverview) },
    extension: true,
  }),

  createSpace: defineOperation({
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
        language: Type.Optional(SpaceLanguage),
        editMode: Type.Optional(EditMode),
      },
      { additionalProperties: false },
    ),
    responses: { 201: Space },
    errors: ['role-too-low'],
    extension: true,
  }),

  getSpace: defineOperation({
    id: 'getSpace',
    method: 'GET',
    path: '/spaces/:spaceId',
    tag,
    summary: 'Read a space.',
    query: ShareKey,
    responses: { 200: Space },
  }),

  updateSpace: defineOperation({
    id: 'updateSpace',
    method: 'PATCH',
    path: '/spaces/:spaceId',
    tag,
    summary: 'Change a space; what is absent stays as it is.',
    body: Type.Object(
      {
        title: Type.Optional(Title),
        emoji: Type.Optional(Type.Union([Emoji, Type.Null()])),
        language: Type.Optional(Type.Union([SpaceLanguage, Type.Null()])),
        editMode: Type.Optional(EditMode),
        visibility: Type.Optional(
          Type.Enum(Visibility.enum, {
            type: 'string',
            description: 'Extension. `in-collection` only for a space in a collection.',
          }),
        ),
        defaultLevel: Type.Optional(
          Type.Union([DefaultLevel, Type.Null()], {
            description:
              'The minimum role of members and guests; `inherit`, or null, takes that of the collection.',
          }),
        ),
        mergeRules: Type.Optional(MergeRulesInput),
      },
      { additionalProperties: false },
    ),
    responses: { 200: Space },
    errors: ['role-too-low'],
  }),

  deleteSpace: defineOperation({
    id: 'deleteSpace',
    method: 'DELETE',
    path: '/spaces/:spaceId',
    tag,
    summary: 'Delete a space; after 7 days it cannot be restored.',
    responses: { 204: Type.Void() },
    errors: ['role-too-low'],
  }),

  duplicateSpace: defineOperation({
    id: 'duplicateSpace',
    method: 'POST',
    path: '/spaces/:spaceId/duplicate',
    tag,
    summary: 'Copy a space, with the content that readers see; the copy is placed directly after it.',
    description:
      'Pages and files have the same ids in the copy. Its history starts with the copy; change requests and the connection to a repository stay with the original. A copy is visible to members only.',
    responses: { 201: Space },
    errors: ['role-too-low'],
  }),

  restoreSpace: defineOperation({
    id: 'restoreSpace',
    method: 'POST',
    path: '/spaces/:spaceId/restore',
    tag,
    summary: 'Restore a space that was deleted within the last 7 days.',
    description: '409 if it is not deleted.',
    responses: { 200: Space },
    errors: ['role-too-low', 'nothing-to-change'],
  }),

  moveSpace: defineOperation({
    id: 'moveSpace',
    method: 'POST',
    path: '/spaces/:spaceId/move',
    tag,
    summary: 'Move a space into a collection, or to another position among its siblings.',
    description:
      'Without `position` it goes to the end. 400 for a position that is not among its siblings; 409 if nothing would change.',
    body: Type.Object(
      { parent: Type.Optional(NewParent), position: Type.Optional(Position) },
      { additionalProperties: false },
    ),
    responses: { 200: Space },
    errors: ['role-too-low', 'position-invalid', 'nothing-to-change'],
  }),

  transferSpace: defineOperation({
    id: 'transferSpace',
    method: 'POST',
    path: '/spaces/:spaceId/transfer',
    tag,
    summary: 'Transfer a space to another organization, to a collection there, or both.',
    description:
      '409 if it is already there, 412 while a git operation of it is open. Its merge rules, which name members, are replaced by those of the new organization.',
    body: Type.Object(
      {
        organization: Id,
        parent: Type.Optional(
          Type.String({
            description: 'Extension: a collection of that organization; its top level if absent.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    responses: { 200: Space },
    errors: ['role-too-low', 'nothing-to-change', 'git-operation-open'],
  }),
} as const;
