import Type, { type Static } from 'typebox';
import { GitOid, Id } from '../scalars.ts';

/** The largest file that is edited as text, in bytes. */
export const MAX_SOURCE_BYTES = 640 * 1024;

/** The bytes of a file as text, exactly: line ends and a byte order mark included. */
export const Source = Type.Object(
  {
    object: Type.Literal('source'),
    path: Type.String(),
    revision: Type.Unsafe<string>({ ...Id, description: 'The revision that the text was read from.' }),
    oid: GitOid,
    text: Type.Optional(Type.String({ description: 'Absent for a file that cannot be edited as text.' })),
    problem: Type.Optional(
      Type.String({
        description: 'Why there is no text: the file is too large, no UTF-8, a symbolic link or not stored.',
      }),
    ),
    page: Type.Optional(
      Type.Object({ id: Id, title: Type.String() }, { description: 'The page that is made from the file.' }),
    ),
  },
  { $id: 'Source' },
);
export type Source = Static<typeof Source>;
