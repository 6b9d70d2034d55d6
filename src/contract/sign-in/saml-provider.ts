import Type, { type Static } from 'typebox';
import { GivenName, Id, Moment, RoleOrGuest, Url } from '../scalars.ts';
import { Team } from '../teams/team.ts';

export const ProviderLabel = GivenName({ minLength: 1, maxLength: 30 });

export const SamlProvider = Type.Object(
  {
    object: Type.Literal('saml-provider'),
    id: Id,
    label: Type.String(),
    ssoURL: Type.String({
      format: 'uri',
      description: 'Where sign-ins begin at the provider; `about:blank` until somebody enters it.',
    }),
    entityID: Type.String({ description: 'The provider’s own name; empty until somebody enters it.' }),
    certificate: Type.String({ description: 'In PEM; empty until somebody enters it.' }),
    nextCertificate: Type.Optional(
      Type.String({ description: 'A second certificate that may sign, while the provider exchanges it.' }),
    ),
    defaultTeam: Type.Optional(Team),
    defaultRole: RoleOrGuest,
    createdAt: Moment,
    status: Type.Enum(['pending', 'active'], {
      type: 'string',
      description: '`active` from the first good answer of the provider on.',
    }),
    service: Type.Object({ acsURL: Url, startURL: Url, entityID: Type.String() }),
    urls: Type.Object({ location: Url }),
  },
  { $id: 'SamlProvider' },
);
export type SamlProvider = Static<typeof SamlProvider>;

/** A provider where members sign in. */
export const SsoLogin = Type.Object({ id: Id, label: Type.String(), startURL: Url }, { $id: 'SsoLogin' });
export type SsoLogin = Static<typeof SsoLogin>;
