import Type, { type Static } from 'typebox';
import { User } from '../organizations/user.ts';
import { Moment } from '../scalars.ts';

/** Who changed the content of a change request. */
export const ChangeRequestContributor = Type.Object(
  {
    actionType: Type.Enum(['edit', 'comment'], { type: 'string' }),
    user: User,
    count: Type.Integer({ description: 'How often; of changes by a release before 0.2.0, 1.' }),
    updatedAt: Moment,
  },
  { $id: 'ChangeRequestContributor' },
);
export type ChangeRequestContributor = Static<typeof ChangeRequestContributor>;
