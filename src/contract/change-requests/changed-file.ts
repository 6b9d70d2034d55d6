import Type, { type Static } from 'typebox';
import { Id } from '../scalars.ts';

const ChangedFileFields = Type.Object({
  path: Type.String({ description: 'In the repository; of a removed file the one that it had.' }),
  previousPath: Type.Optional(Type.String({ description: 'Of a moved file: where it was.' })),
  kind: Type.Enum(['added', 'changed', 'moved', 'removed'], {
    type: 'string',
    description: 'A moved file may be changed, too; then `changed` is true.',
  }),
  changed: Type.Boolean({ description: 'Whether its bytes or its mode differ.' }),
  before: Type.Optional(Type.Object({ oid: Type.String(), size: Type.Optional(Type.Integer()) })),
  after: Type.Optional(Type.Object({ oid: Type.String(), size: Type.Optional(Type.Integer()) })),
  page: Type.Optional(
    Type.Object(
      {
        id: Id,
        title: Type.String(),
        path: Type.String(),
        previousId: Type.Optional(
          Type.Unsafe<string>({ ...Id, description: 'In the base, where it had another id.' }),
        ),
        isNew: Type.Boolean({ description: 'Whether the base has no such page.' }),
        isGone: Type.Boolean({ description: 'Whether the change request has no such page.' }),
      },
      { description: 'The page that is made from it; for a removed file the page of the base.' },
    ),
  ),
  file: Type.Optional(
    Type.Object(
      { id: Id, name: Type.String(), contentType: Type.String() },
      {
        description: 'The file that readers may open, such as a picture; for a removed one that of the base.',
      },
    ),
  ),
});

/** A file that differs between the base of a change request and what it proposes. */
export const ChangedFile = Type.Object(
  { object: Type.Literal('changed-file'), ...ChangedFileFields.properties },
  { $id: 'ChangedFile' },
);
export type ChangedFile = Static<typeof ChangedFile>;

const Span = Type.Object({
  text: Type.String(),
  marked: Type.Optional(Type.Boolean({ description: 'Whether these words are what differs in the line.' })),
});

export const SourceHunk = Type.Object({
  oldStart: Type.Integer({ description: 'The first line in the base, counted from 1.' }),
  oldLines: Type.Integer(),
  newStart: Type.Integer(),
  newLines: Type.Integer(),
  lines: Type.Array(
    Type.Object({
      kind: Type.Enum(['context', 'added', 'removed'], { type: 'string' }),
      spans: Type.Array(Span),
      noNewline: Type.Optional(
        Type.Boolean({ description: 'Whether the file ends here without a line break.' }),
      ),
    }),
  ),
});

/** A file of the base and of a change request, compared line by line. */
export const FileComparison = Type.Object(
  {
    object: Type.Literal('file-comparison'),
    file: ChangedFile,
    added: Type.Integer({ description: 'How many lines.' }),
    removed: Type.Integer(),
    hunks: Type.Array(SourceHunk),
    problem: Type.Optional(
      Type.String({ description: 'Why the lines are not shown: the file is no text, or too large.' }),
    ),
  },
  { $id: 'FileComparison' },
);
export type FileComparison = Static<typeof FileComparison>;
