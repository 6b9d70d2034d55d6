import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { ListOf, Paging, pagingFields } from '../paging.ts';
import { NewParent, Position } from '../position.ts';
import { DefaultLevel, Id, Title } from '../scalars.ts';
import { Space } from '../spaces/space.ts';
import { Collection } from './collection.ts';

const tag = 'Collections';

export const collectionOperations = {
  listCollections: defineOperation({
    id: 'listCollectionsInOrganizationById',
    method: 'GET',
    path: '/orgs/:organizationId/collections',
    tag,
    summary: 'List the collections of an organization that the caller may see.',
    query: Type.Object(
      {
        ...pagingFields,
        nested: Type.Optional(
          Type.Boolean({
            default: true,
            description: '`false` leaves out collections inside another collection.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    responses: { 200: ListOf(Collection) },
  }),

  createCollection: defineOperation({
    id: 'createCollection',
    method: 'POST',
    path: '/orgs/:organizationId/collections',
    tag,
    summary: 'Create a collection.',
    description:
      'Collections nest at most 16 levels deep. Without `title` it is called “Untitled collection”.',
    body: Type.Object(
      { title: Type.Optional(Title), parent: Type.Optional(Id) },
      { additionalProperties: false },
    ),
    responses: { 201: Collection },
    errors: ['role-too-low'],
  }),

  getCollection: defineOperation({
    id: 'getCollectionById',
    method: 'GET',
    path: '/collections/:collectionId',
    tag,
    summary: 'Read a collection.',
    responses: { 200: Collection },
  }),

  updateCollection: defineOperation({
    id: 'updateCollectionById',
    method: 'PATCH',
    path: '/collections/:collectionId',
    tag,
    summary: 'Change a collection; what is absent stays as it is.',
    body: Type.Object(
      {
        title: Type.Optional(Title),
        description: Type.Optional(Type.Union([Type.String({ maxLength: 1024 }), Type.Null()])),
        defaultLevel: Type.Optional(
          Type.Union([DefaultLevel, Type.Null()], {
            description:
              'The minimum role of members and guests in everything inside it; `inherit`, or null, takes that of the collection above.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    responses: { 200: Collection },
    errors: ['role-too-low'],
  }),

  deleteCollection: defineOperation({
    id: 'deleteCollectionById',
    method: 'DELETE',
    path: '/collections/:collectionId',
    tag,
    summary: 'Delete a collection; its contents move up to its position in the parent.',
    responses: { 204: Type.Void() },
    errors: ['role-too-low'],
  }),

  listCollectionSpaces: defineOperation({
    id: 'listSpacesInCollectionById',
    method: 'GET',
    path: '/collections/:collectionId/spaces',
    tag,
    summary: 'List the spaces directly in a collection that the caller may see.',
    query: Paging,
    responses: { 200: ListOf(Space) },
  }),

  moveCollection: defineOperation({
    id: 'moveCollection',
    method: 'POST',
    path: '/collections/:collectionId/move',
    tag,
    summary: 'Move a collection into another one, or to another position among its siblings.',
    description:
      'Without `position` it goes to the end. 400 for a position that is not among its siblings, and for a move into itself; 409 if nothing would change.',
    body: Type.Object(
      { parent: Type.Optional(NewParent), position: Type.Optional(Position) },
      { additionalProperties: false },
    ),
    responses: { 200: Collection },
    errors: ['role-too-low', 'position-invalid', 'nothing-to-change'],
  }),

  transferCollection: defineOperation({
    id: 'transferCollection',
    method: 'POST',
    path: '/collections/:collectionId/transfer',
    tag,
    summary: 'Transfer a collection, with everything in it, to another organization.',
    description:
      '409 if it is already there. 412 while a git operation of a space in it is open, and if the caller does not administer everything in it.',
    body: Type.Object({ organization: Id }, { additionalProperties: false }),
    responses: { 200: Collection },
    errors: ['role-too-low', 'nothing-to-change', 'git-operation-open', 'not-administrator-of-all'],
  }),
} as const;
