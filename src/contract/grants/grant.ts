import Type, { type Static } from 'typebox';
import { roleCaps, roleSources } from '../members/role-sources.ts';
import { User } from '../organizations/user.ts';
import { Id, Role, RoleOrGuest, roles } from '../scalars.ts';
import { Team } from '../teams/team.ts';

/** What a member was granted, or (in an aggregate) their effective role. */
export const UserPermission = Type.Object({ permission: Role, user: User }, { $id: 'UserPermission' });
export type UserPermission = Static<typeof UserPermission>;

/** What a team was granted. */
export const TeamPermission = Type.Object({ permission: Role, team: Team }, { $id: 'TeamPermission' });
export type TeamPermission = Static<typeof TeamPermission>;

/** The same in a site; `origin` is where members have their role from. */
export const SitePermission = Type.Object(
  {
    permission: Role,
    user: User,
    origin: Type.Object({ type: Type.Literal('organization'), organization: Id }),
  },
  { $id: 'SitePermission' },
);

const Subjects = Type.Array(Id, { minItems: 1, maxItems: 1000 });

/** Whom a role is granted to. */
export const GrantInput = Type.Object(
  { role: RoleOrGuest, users: Type.Optional(Subjects), teams: Type.Optional(Subjects) },
  { additionalProperties: false },
);

export const GrantChange = Type.Object({ role: Type.Optional(RoleOrGuest) }, { additionalProperties: false });

const EffectiveRoleName = Type.Enum([...roles, 'visitor', 'guest', 'none'], { type: 'string' });

/** Why somebody may do what they may do: every source of their role, and what keeps it lower. */
export const MemberAccess = Type.Object(
  {
    object: Type.Literal('member-access'),
    member: Id,
    role: EffectiveRoleName,
    sources: Type.Array(
      Type.Object({
        type: Type.Enum(Object.keys(roleSources) as (keyof typeof roleSources)[], { type: 'string' }),
        role: EffectiveRoleName,
        wins: Type.Boolean({
          description:
            'Whether it is the one that the role comes from: the highest, and of several the first.',
        }),
        space: Type.Optional(Id),
        collection: Type.Optional(Id),
        site: Type.Optional(Id),
        team: Type.Optional(Type.Object({ id: Id, title: Type.String() })),
      }),
      {
        description: 'In the order of the rule. A grant without a place is one in the organization.',
      },
    ),
    caps: Type.Array(
      Type.Object({
        type: Type.Enum(Object.keys(roleCaps) as (keyof typeof roleCaps)[], { type: 'string' }),
        role: Type.Optional(Role),
      }),
      { description: 'What applies: `token` only for the token of the call, by the member themselves.' },
    ),
  },
  { $id: 'MemberAccess' },
);
export type MemberAccess = Static<typeof MemberAccess>;
