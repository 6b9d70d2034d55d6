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
    summary: 'Write the pages of a template into a change request, or directly into the content.',
    description:
      'Existing files stay as they are. Without `changeRequestId` a change request is created and merged at once, which a locked space rejects. A placeholder for a file that `params.contentRefs` leaves out is removed with its line. 404 for an unknown template lists the available ones; 409 if all of its files exist.',
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
