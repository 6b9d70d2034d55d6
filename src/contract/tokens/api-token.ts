import Type, { type Static } from 'typebox';
import { User } from '../organizations/user.ts';
import { Id, Moment, Role } from '../scalars.ts';

export const TokenScope = Type.Enum(['api', 'scim'], {
  type: 'string',
  description:
    '`scim` is for an identity provider that keeps users and teams up to date, and opens nothing else.',
});

const fields = {
  object: Type.Literal('api-token'),
  id: Id,
  name: Type.String(),
  prefix: Type.Optional(
    Type.String({ description: 'The first characters of the token, by which its owner knows it again.' }),
  ),
  scope: TokenScope,
  organization: Type.Optional(
    Type.String({
      description: 'The id of the only organization that it opens; absent for all of its owner’s.',
    }),
  ),
  role: Type.Optional(
    Type.Enum([...Role.enum], { type: 'string', description: 'The most that its bearer may do.' }),
  ),
  createdAt: Moment,
  lastUsedAt: Type.Optional(Moment),
  expiresAt: Moment,
  current: Type.Boolean({ description: 'Whether this request was made with it.' }),
};

export const ApiToken = Type.Object(fields, { $id: 'ApiToken' });
export type ApiToken = Static<typeof ApiToken>;

export const MemberToken = Type.Object({ ...fields, user: User }, { $id: 'MemberToken' });
export type MemberToken = Static<typeof MemberToken>;

export const NewApiToken = Type.Object(
  { ...fields, token: Type.String({ description: 'The token itself, which is shown this once.' }) },
  { $id: 'NewApiToken' },
);
export type NewApiToken = Static<typeof NewApiToken>;
