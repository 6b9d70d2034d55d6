import Type, { type Static } from 'typebox';
import { ChangeRequest } from '../change-requests/change-request.ts';
import { GitOid, Id, Moment, Url } from '../scalars.ts';
import { File, GitSource } from './file.ts';
import { PageResource } from './page.ts';

export const ReusableContent = Type.Object({
  id: Id,
  title: Type.String(),
  git: Type.Optional(GitSource),
});

/** The commit that a revision was imported from, or exported as. */
export const RevisionCommit = Type.Object({
  oid: GitOid,
  message: Type.String(),
  createdByService: Type.Boolean(),
  url: Type.Optional(Type.String()),
  ref: Type.Optional(Type.String()),
});

/** A complete version of a space's content. */
export const Revision = Type.Object(
  {
    object: Type.Literal('revision'),
    id: Id,
    parents: Type.Array(Id),
    pages: Type.Array(PageResource),
    files: Type.Array(File),
    reusableContents: Type.Array(ReusableContent),
    variables: Type.Record(Type.String(), Type.String()),
    createdAt: Moment,
    git: Type.Optional(RevisionCommit),
    urls: Type.Object({ app: Url, published: Type.Optional(Url), public: Type.Optional(Url) }),
    type: Type.Enum(['edits', 'merge', 'rollback', 'update', 'computed'], {
      type: 'string',
      description:
        'What made the revision. One that merged a change request is `update` for callers who may not see change requests.',
    }),
    mergedFrom: Type.Optional(ChangeRequest),
  },
  { $id: 'Revision' },
);
export type Revision = Static<typeof Revision>;
