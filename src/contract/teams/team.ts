import Type, { type Static } from 'typebox';
import { Member } from '../members/member.ts';
import { GivenName, Id, Moment } from '../scalars.ts';

export const Team = Type.Object(
  {
    object: Type.Literal('team'),
    id: Id,
    title: Type.String(),
    members: Type.Integer(),
    spaces: Type.Integer({ description: 'How many spaces its grants open.' }),
    createdAt: Moment,
    provisioned: Type.Optional(
      Type.Boolean({
        description:
          'Whether an identity provider keeps its title and members up to date, which are then changed there only.',
      }),
    ),
    permissions: Type.Object({ admin: Type.Boolean(), view: Type.Boolean() }),
  },
  { $id: 'Team' },
);
export type Team = Static<typeof Team>;

/** An `owner` manages the team, with its members; administrators of the organization manage every team. */
export const TeamRole = Type.Enum(['owner', 'member'], { type: 'string' });
export type TeamRole = Static<typeof TeamRole>;

export const TeamMembership = Type.Object({ role: TeamRole });

/** A member of a team. */
export const TeamMember = Type.Object(
  {
    organization: Member,
    team: TeamMembership,
    permissions: Type.Object({ view: Type.Boolean() }),
  },
  { $id: 'TeamMember' },
);
export type TeamMember = Static<typeof TeamMember>;

export const TeamTitle = GivenName({ minLength: 1, maxLength: 64 });
