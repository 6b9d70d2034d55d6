import Type, { type Static } from 'typebox';
import { Url } from '../scalars.ts';

/** How a site with the visibility `visitor-auth` knows its visitors. */
export const PublishingAuth = Type.Object(
  {
    object: Type.Literal('publishing-auth'),
    backend: Type.Literal('custom'),
    privateKey: Type.String({
      description:
        'What your own sign-in signs the tokens of visitors with: a JWT by HS256, at most 24 hours.',
    }),
    fallbackURL: Type.Optional(Url),
  },
  { $id: 'PublishingAuth' },
);
export type PublishingAuth = Static<typeof PublishingAuth>;
