import Type, { type Static } from 'typebox';
import { Comment } from '../comments/comment.ts';
import { User } from '../organizations/user.ts';
import { Id, Moment, Url } from '../scalars.ts';
import { Team } from '../teams/team.ts';

export const ReviewStatus = Type.Enum(['changes-requested', 'approved'], { type: 'string' });
export type ReviewStatus = Static<typeof ReviewStatus>;

/** What somebody said about a change request, and about which revision. */
export const ChangeRequestReview = Type.Object(
  {
    object: Type.Literal('change-request-review'),
    id: Id,
    revision: Type.Unsafe<string>({ ...Id, description: 'The revision that was reviewed.' }),
    reviewer: User,
    requestedBy: Type.Optional(User),
    status: ReviewStatus,
    outdated: Type.Boolean({
      description:
        'Whether the content was changed since, or the reviewer reviewed again or was requested to. An outdated approval counts for no merge rule. An update from the space that needed no decision changes nothing.',
    }),
    comment: Type.Optional(Comment),
    createdAt: Moment,
    updatedAt: Moment,
    urls: Type.Object({ location: Url }),
  },
  { $id: 'ChangeRequestReview' },
);
export type ChangeRequestReview = Static<typeof ChangeRequestReview>;

/** Somebody who was requested to review, and has not since. */
export const RequestedReviewer = Type.Object(
  {
    object: Type.Literal('change-request-requested-reviewer'),
    kind: Type.Enum(['user', 'team'], { type: 'string' }),
    user: Type.Optional(User),
    team: Type.Optional(Team),
    revision: Type.Unsafe<string>({ ...Id, description: 'What the change request proposed then.' }),
    requestedBy: User,
    createdAt: Moment,
  },
  { $id: 'RequestedReviewer' },
);
export type RequestedReviewer = Static<typeof RequestedReviewer>;
