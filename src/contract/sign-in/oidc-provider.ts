import Type, { type Static } from 'typebox';
import { Id, Moment, RoleOrGuest, Url } from '../scalars.ts';
import { Team } from '../teams/team.ts';

/** A provider of OpenID Connect at which the members of an organization sign in. */
export const OidcProvider = Type.Object(
  {
    object: Type.Literal('oidc-provider'),
    id: Id,
    label: Type.String(),
    issuer: Type.String({ description: 'The provider’s own name; empty until somebody enters it.' }),
    clientID: Type.String({ description: 'The name of this server there; empty until somebody enters it.' }),
    hasClientSecret: Type.Boolean({ description: 'The secret itself is never shown.' }),
    scopes: Type.Array(Type.String()),
    defaultTeam: Type.Optional(Team),
    defaultRole: RoleOrGuest,
    createdAt: Moment,
    status: Type.Enum(['pending', 'active'], {
      type: 'string',
      description: '`active` from the first good sign-in on.',
    }),
    service: Type.Object({ redirectURL: Url, startURL: Url }),
    urls: Type.Object({ location: Url }),
  },
  { $id: 'OidcProvider' },
);
export type OidcProvider = Static<typeof OidcProvider>;
