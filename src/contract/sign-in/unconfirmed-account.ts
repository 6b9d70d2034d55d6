import Type, { type Static } from 'typebox';
import { Id, Moment } from '../scalars.ts';

/** An account that somebody uses with an address of an organization's proved domain, which nobody has confirmed. */
export const UnconfirmedAccount = Type.Object(
  {
    object: Type.Literal('unconfirmed-account'),
    id: Id,
    displayName: Type.String(),
    email: Type.String(),
    createdAt: Moment,
  },
  { $id: 'UnconfirmedAccount' },
);
export type UnconfirmedAccount = Static<typeof UnconfirmedAccount>;
