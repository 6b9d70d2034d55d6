import Type, { type Static } from 'typebox';
import { GitOid, Id, Url } from '../scalars.ts';

/** The object in the repository that something comes from. */
export const GitSource = Type.Object({ oid: GitOid, path: Type.String() });

export const File = Type.Object(
  {
    id: Id,
    name: Type.String(),
    contentType: Type.String(),
    downloadURL: Url,
    size: Type.Integer({ description: 'In bytes.' }),
    dimensions: Type.Optional(Type.Object({ width: Type.Integer(), height: Type.Integer() })),
    git: Type.Optional(GitSource),
  },
  { $id: 'File' },
);
export type File = Static<typeof File>;
