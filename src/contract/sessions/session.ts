import Type, { type Static } from 'typebox';
import { Id, Moment } from '../scalars.ts';

/** A browser that is signed in. */
export const BrowserSession = Type.Object(
  {
    object: Type.Literal('session'),
    id: Id,
    provider: Type.String({
      description:
        'How it was begun: `token`, `password`, `mail`, `set-up`, `recovery`, `github`, `oidc` or `saml`.',
    }),
    address: Type.Optional(Type.String({ description: 'The network address that signed in.' })),
    userAgent: Type.Optional(Type.String({ description: 'What the browser calls itself.' })),
    createdAt: Moment,
    lastUsedAt: Moment,
    expiresAt: Moment,
    current: Type.Boolean({ description: 'Whether this request was made with it.' }),
  },
  { $id: 'Session' },
);
export type BrowserSession = Static<typeof BrowserSession>;
