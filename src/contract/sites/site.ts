import Type, { type Static } from 'typebox';
import { Formed, GivenName, Id, Moment, Url } from '../scalars.ts';

/** Who may read a site once it is published. */
export const siteVisibilities = ['public', 'unlisted', 'share-link', 'visitor-auth'] as const;
export const SiteVisibility = Type.Enum([...siteVisibilities], {
  type: 'string',
  description:
    '`public`: everybody. `unlisted`: everybody, but search engines are asked to stay away. `share-link`: who has one of the links. `visitor-auth`: who brings a signed token.',
});

export const siteTypes = ['basic', 'premium', 'ultimate'] as const;
export const SiteType = Type.Enum([...siteTypes], { type: 'string' });

export const SiteTitle = GivenName({ minLength: 2, maxLength: 128 });

export const AgentsContext = Type.Enum(['excluded', 'included'], {
  type: 'string',
  description: 'Whether agents of the organization may read the site.',
});

export const AdaptiveContent = Type.Object({ enabled: Type.Boolean() }, { additionalProperties: false });

export const ThemedUrl = Type.Object({ light: Url, dark: Url });

/** Extension: what the caller may do with the site. */
export const SitePermissions = Type.Object({
  view: Type.Boolean(),
  access: Type.Boolean(),
  edit: Type.Boolean(),
  admin: Type.Boolean(),
});

export const Site = Type.Object(
  {
    object: Type.Literal('site'),
    id: Id,
    type: SiteType,
    title: Type.String(),
    icon: Type.Optional(Type.Object({ icon: ThemedUrl })),
    hostname: Type.Optional(Type.String()),
    hostnameStatus: Type.Optional(
      Type.Enum(['pending', 'proved'], {
        type: 'string',
        description:
          'Extension: the host is served once the organization has proved its domain, or one above it, as an e-mail domain.',
      }),
    ),
    basename: Type.String({ description: 'The segment of its address.' }),
    proxy: Type.Optional(
      Type.Object(
        { origin: Type.String(), target: Url },
        { description: 'The foreign address that shows the site, and where that fetches it from.' },
      ),
    ),
    visibility: SiteVisibility,
    published: Type.Boolean(),
    siteSpaces: Type.Integer({ minimum: 0 }),
    createdAt: Moment,
    adaptiveContent: AdaptiveContent,
    agentsContext: AgentsContext,
    features: Type.Array(Type.Object({}), {
      description: 'Always empty: every feature is there for every site.',
    }),
    urls: Type.Object({
      location: Url,
      app: Url,
      published: Type.Optional(
        Type.String({ format: 'uri', description: 'Where readers find it; absent until it is published.' }),
      ),
      preview: Type.Optional(
        Type.String({
          format: 'uri',
          description:
            'Where members who may see its spaces read it before it is published; absent afterwards. An extension.',
        }),
      ),
    }),
    permissions: SitePermissions,
  },
  { $id: 'Site' },
);
export type Site = Static<typeof Site>;

export const SiteHostname = Formed(
  '^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?[.]){2,10}[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$',
  'must be a host name with at least two dots, such as docs.example.com, in small letters',
  { maxLength: 253 },
);

export const SiteProxyOrigin = Formed(
  '^(?:[A-Za-z0-9_-]{1,63}\\.){1,10}[a-zA-Z]{2,63}(?:/[A-Za-z0-9_-]{1,100}){1,10}$',
  'must be a host with a path, such as example.com/docs',
  { maxLength: 512 },
);
