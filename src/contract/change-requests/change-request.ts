import Type, { type Static } from 'typebox';
import { User } from '../organizations/user.ts';
import { Id, Moment, Url } from '../scalars.ts';

/** `draft`: being written. `open`: up for review. `archived`: given up, and may be taken up again. `merged`: done. */
export const ChangeRequestStatus = Type.Enum(['draft', 'open', 'archived', 'merged'], { type: 'string' });

/** A proposed revision of a space. */
export const ChangeRequest = Type.Object(
  {
    object: Type.Literal('change-request'),
    id: Id,
    number: Type.Integer({
      minimum: 1,
      description: 'Counts up in its space; may stand in place of the id.',
    }),
    subject: Type.String(),
    status: ChangeRequestStatus,
    createdAt: Moment,
    updatedAt: Moment,
    createdBy: Type.Optional(User),
    space: Id,
    revision: Type.String({ description: 'What it proposes.' }),
    revisionMergeBase: Type.String({
      description:
        'The revision of the space that it is measured against: where it began, or was updated to last.',
    }),
    outdated: Type.Boolean({
      description: 'Whether the space went on since; `update` brings it up to date.',
    }),
    mergedAt: Type.Optional(Moment),
    mergedBy: Type.Optional(User),
    mergedRevision: Type.Optional(Id),
    comments: Type.Integer(),
    urls: Type.Object({ location: Url, app: Url }),
    permissions: Type.Object({
      view: Type.Boolean(),
      comment: Type.Boolean(),
      edit: Type.Boolean(),
      review: Type.Boolean(),
      merge: Type.Boolean(),
    }),
  },
  { $id: 'ChangeRequest' },
);
export type ChangeRequest = Static<typeof ChangeRequest>;
