import Type, { type Static } from 'typebox';
import { Id } from '../scalars.ts';

const Path = Type.String({ minLength: 1, maxLength: 1024 });
const Title = Type.String({ minLength: 1, maxLength: 256 });

/** Something to do with the files of a space. */
export const FileAction = Type.Union([
  Type.Object(
    { type: Type.Literal('move'), from: Path, to: Path },
    {
      additionalProperties: false,
      description: 'Moves or renames a file or a folder; links, navigation and redirects follow.',
    },
  ),
  Type.Object(
    { type: Type.Literal('delete'), path: Path, replacement: Type.Optional(Path) },
    {
      additionalProperties: false,
      description:
        'Deletes a file or a folder. With a replacement, links and old addresses lead to that page.',
    },
  ),
  Type.Object(
    { type: Type.Literal('create'), path: Path, title: Title, after: Type.Optional(Path) },
    {
      additionalProperties: false,
      description: 'Creates a page. A table of contents lists it after the page at `after`, or at the end.',
    },
  ),
  Type.Object(
    { type: Type.Literal('create-group'), title: Title },
    {
      additionalProperties: false,
      description:
        'Adds a group to the table of contents; 400 for a space without one, whose folders are groups.',
    },
  ),
]);
export type FileAction = Static<typeof FileAction>;

const Change = Type.Object({
  kind: Type.Enum(['link', 'setting', 'redirect', 'file'], { type: 'string' }),
  file: Type.String({ description: 'After the action.' }),
  line: Type.Optional(Type.Integer()),
  before: Type.String({ description: 'Empty for what is added.' }),
  after: Type.String({ description: 'Empty for what is removed.' }),
});

const Finding = Type.Object({ file: Type.String(), line: Type.Integer(), message: Type.String() });

/** What an action changes, before it is done. */
export const FilePlan = Type.Object(
  {
    object: Type.Literal('file-plan'),
    revision: Type.Unsafe<string>({ ...Id, description: 'The revision that it was planned for.' }),
    changes: Type.Array(Change, { description: 'The first 1,000.' }),
    moreChanges: Type.Integer(),
    worse: Type.Array(Type.Object({ ...Finding.properties, target: Type.String() }), {
      description: 'Links that will be broken or lead elsewhere; the first 1,000.',
    }),
    byHand: Type.Array(Finding, { description: 'What a person has to change besides.' }),
    notes: Type.Array(Type.String()),
  },
  { $id: 'FilePlan' },
);
export type FilePlan = Static<typeof FilePlan>;

/** A place that a reference may lead to, as it is written in a file. */
export const SuggestedTarget = Type.Object(
  {
    kind: Type.Enum(['page', 'file', 'heading'], { type: 'string' }),
    title: Type.String(),
    detail: Type.String({ description: 'The path in the repository.' }),
    destination: Type.String({ description: 'As the other links of the space are written.' }),
  },
  { $id: 'SuggestedTarget' },
);
export type SuggestedTarget = Static<typeof SuggestedTarget>;
