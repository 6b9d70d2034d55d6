import Type, { type Static } from 'typebox';
import { LinkStatus } from '../content/link.ts';
import { PrivateSpecs, ShownOperation } from '../content/page-view.ts';
import { ReferenceResource } from '../content/reference.ts';

/** References of one text that are returned; a page has a few dozen. */
export const MAX_CHECKED_REFERENCES = 5_000;

const Position = {
  line: Type.Integer({ description: 'From 1.' }),
  column: Type.Integer({ description: 'From 1, in UTF-16 code units.' }),
  endLine: Type.Integer(),
  endColumn: Type.Integer({ description: 'Exclusive.' }),
};

/** Part of a text to replace. Offsets in UTF-16 code units from the beginning of the text. */
const Replacement = Type.Object({ from: Type.Integer(), to: Type.Integer(), insert: Type.String() });

/** A reference of a text with its verdict. */
export const CheckedReference = Type.Object({
  target: Type.String({ description: 'As written.' }),
  ...Position,
  verdict: Type.Enum(['ok', 'broken', 'in-app', 'unchecked'], { type: 'string' }),
  rule: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
  warning: Type.Optional(Type.String({ description: 'It works, but should be written differently.' })),
  suggestion: Type.Optional(Type.String({ description: 'A destination that would be correct.' })),
  fix: Type.Optional(
    Type.Array(Replacement, {
      description: 'What to replace so that the reference leads to the suggestion.',
    }),
  ),
});
export type CheckedReference = Static<typeof CheckedReference>;

/** What is needed to show a text as a page. */
export const TextView = Type.Object({
  title: Type.String(),
  markdown: Type.String({ description: 'With the files that it includes.' }),
  dialect: Type.String(),
  targets: Type.Array(
    Type.Object({ target: Type.String(), status: LinkStatus, reference: ReferenceResource }),
  ),
  operations: Type.Array(ShownOperation),
  privateSpecs: PrivateSpecs,
});
export type TextView = Static<typeof TextView>;

/** A text of a file that is not saved, as it would be in its content. */
export const CheckedText = Type.Object(
  {
    object: Type.Literal('checked-text'),
    path: Type.String(),
    revision: Type.String({ description: 'The revision whose other files it was checked with.' }),
    references: Type.Array(CheckedReference),
    moreReferences: Type.Integer({ description: 'How many are left out.' }),
    headings: Type.Array(
      Type.Object({
        line: Type.Integer(),
        level: Type.Integer(),
        name: Type.String({ description: 'Its anchor, without `#`.' }),
        text: Type.String(),
      }),
    ),
    problems: Type.Array(Type.Object({ line: Type.Optional(Type.Integer()), message: Type.String() }), {
      description: 'What is wrong with the text as a whole, such as front matter that is no YAML.',
    }),
    view: Type.Optional(TextView),
  },
  { $id: 'CheckedText' },
);
export type CheckedText = Static<typeof CheckedText>;
