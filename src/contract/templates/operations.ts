import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { Id } from '../scalars.ts';

/** A file of the space that a template shows. */
const FileReference = Type.Object({ kind: Type.Literal('file'), file: Id }, { additionalProperties: false });

export const templateOperations = {
  applyTemplate: defineOperation({
    id: 'applyTemplateToSpace',
    method: 'POST',
    path: '/spaces/:spaceId/content/template',
    tag: 'Space content',
    summary: 'Write the pages of a template into a change request, or into the content at once.',
    description:
      'Files that are there already stay as they are. Without `changeRequestId` a change request is made and merged at once, which a locked space refuses. A placeholder for a file that `params.contentRefs` leaves out vanishes with its line. 404 for an unknown template names those there are; 409 when all of its files are there.',
    body: Type.Object(
      {
        id: Type.String({ minLength: 1, maxLength: 64 }),
        params: Type.Optional(
          Type.Object(
            {
              contentRefs: Type.Optional(
                Type.Record(Type.String({ maxLength: 64 }), FileReference, { maxProperties: 20 }),
              ),
            },
            { additionalProperties: false },
          ),
        ),
        changeRequestId: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
      },
      { additionalProperties: false },
    ),
    responses: { 204: Type.Void() },
    errors: [
      'role-too-low',
      'space-locked',
      'merge-rules-unmet',
      'template-unknown',
      'nothing-to-change',
      'conflict',
      'already-merged',
      'archived',
      'content-moved',
    ],
  }),
} as const;
