import Type, { type Static } from 'typebox';
import { Id } from '../scalars.ts';

/** A path in the repository, as in `git.path` of a page. */
const Path = Type.String({ minLength: 1, maxLength: 1024 });
const Text = Type.String({ maxLength: 1024 * 1024 });

/** One change to the files of a change request. */
export const ContentChange = Type.Union([
  Type.Object(
    { type: Type.Literal('write'), path: Path, text: Text },
    { additionalProperties: false, description: 'Writes a text file; creates it if it does not exist.' },
  ),
  Type.Object(
    {
      type: Type.Literal('upload'),
      path: Path,
      base64: Type.String({ maxLength: 1024 * 1024, description: 'The bytes in base64 (RFC 4648).' }),
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
    { type: Type.Literal('delete'), path: Path },
    { additionalProperties: false, description: 'Deletes a file or folder.' },
  ),
]);
export type ContentChange = Static<typeof ContentChange>;
