import Type, { type Static } from 'typebox';
import { Id } from '../scalars.ts';

/** A path in the repository, as in `git.path` of a page. */
const Path = Type.String({ minLength: 1, maxLength: 1024 });
const Text = Type.String({ maxLength: 1024 * 1024 });

/** Keeps a writer from overwriting what somebody else wrote meanwhile. */
const Expected = Type.Optional(
  Type.String({
    maxLength: 64,
    description:
      'The git oid that the file has to have before this change, or an empty text if there must be no file yet; otherwise 409, and no change is made.',
  }),
);

/** Of a file of 8 MB. */
const MAX_BASE64_LENGTH = Math.ceil((8 * 1024 * 1024) / 3) * 4;

/** One change to the files of a change request. */
export const ContentChange = Type.Union([
  Type.Object(
    { type: Type.Literal('write'), path: Path, text: Text, expected: Expected },
    { additionalProperties: false, description: 'Writes a text file; creates it if it does not exist.' },
  ),
  Type.Object(
    {
      type: Type.Literal('upload'),
      path: Path,
      base64: Type.String({ maxLength: MAX_BASE64_LENGTH, description: 'The bytes in base64 (RFC 4648).' }),
      expected: Expected,
    },
    { additionalProperties: false, description: 'Writes a file of any kind.' },
  ),
  Type.Object(
    { type: Type.Literal('page'), page: Id, markdown: Text },
    { additionalProperties: false, description: "Replaces a page's file, front matter included." },
  ),
  Type.Object(
    { type: Type.Literal('move'), from: Path, to: Path },
    { additionalProperties: false, description: 'Moves a file or folder; links to it are left as they are.' },
  ),
  Type.Object(
    { type: Type.Literal('delete'), path: Path, expected: Expected },
    { additionalProperties: false, description: 'Deletes a file or folder.' },
  ),
]);
export type ContentChange = Static<typeof ContentChange>;
