import Type, { type Static } from 'typebox';

const Path = Type.String({ minLength: 1, maxLength: 1024 });

const What = Type.Enum(['added', 'changed', 'removed', 'folder'], {
  type: 'string',
  description:
    'What this side did to the file; `folder`: it has a folder where the other has a file, or the reverse.',
});

const conflictFields = {
  path: Type.String(),
  inSpace: What,
  inChangeRequest: What,
  isText: Type.Boolean({ description: 'Whether both sides are texts that can be shown.' }),
};

/** A file that both the space and a change request changed. */
export const Conflict = Type.Object(
  { object: Type.Literal('conflict'), ...conflictFields },
  { $id: 'Conflict' },
);
export type Conflict = Static<typeof Conflict>;

/** The parts of a file in order: what is the same or was merged, and where the two sides contradict each other. */
const Part = Type.Object({
  kind: Type.Enum(['merged', 'conflict'], { type: 'string' }),
  text: Type.Optional(Type.String({ description: 'Of a merged part.' })),
  base: Type.Optional(Type.String({ description: 'Of a conflict: what both started from.' })),
  space: Type.Optional(Type.String()),
  changeRequest: Type.Optional(Type.String()),
});

export const ConflictedFile = Type.Object(
  {
    object: Type.Literal('conflicted-file'),
    ...conflictFields,
    space: Type.Optional(Type.String({ description: 'The text that readers see now.' })),
    changeRequest: Type.Optional(Type.String({ description: 'The proposed text.' })),
    parts: Type.Optional(
      Type.Array(Part, {
        description: 'For two texts. Without a conflict in it, `merged` takes both sides.',
      }),
    ),
    problem: Type.Optional(Type.String({ description: 'Why the texts are not shown.' })),
  },
  { $id: 'ConflictedFile' },
);
export type ConflictedFile = Static<typeof ConflictedFile>;

/** The decision about a conflict. */
export const Resolution = Type.Union([
  Type.Object(
    { path: Path, take: Type.Enum(['space', 'change-request'], { type: 'string' }) },
    {
      additionalProperties: false,
      description: 'Takes the file of one side as it is; where that side removed it, it stays removed.',
    },
  ),
  Type.Object(
    { path: Path, take: Type.Literal('merged') },
    {
      additionalProperties: false,
      description: 'Takes the changes of both sides; 400 where they contradict each other.',
    },
  ),
  Type.Object(
    { path: Path, text: Type.String({ maxLength: 1024 * 1024 }) },
    { additionalProperties: false, description: 'Writes this text instead.' },
  ),
]);
export type Resolution = Static<typeof Resolution>;
