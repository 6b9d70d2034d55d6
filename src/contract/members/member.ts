import Type, { type Static } from 'typebox';
import { User } from '../organizations/user.ts';
import { Moment, RoleOrGuest } from '../scalars.ts';

export const Member = Type.Object(
  {
    object: Type.Literal('member'),
    id: Type.String({ description: "The user's id." }),
    role: RoleOrGuest,
    user: User,
    disabled: Type.Boolean(),
    provisioned: Type.Optional(
      Type.Boolean({ description: 'Whether an identity provider keeps the membership (SCIM).' }),
    ),
    joinedAt: Moment,
    lastSeenAt: Type.Optional(Moment),
    sso: Type.Boolean(),
    spaces: Type.Integer({ description: 'How many spaces of the organization they may see.' }),
    teams: Type.Integer(),
  },
  { $id: 'Member' },
);
export type Member = Static<typeof Member>;
