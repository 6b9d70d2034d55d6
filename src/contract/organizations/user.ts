import Type, { type Static } from 'typebox';
import { Id, Url } from '../scalars.ts';

export const User = Type.Object(
  {
    object: Type.Literal('user'),
    id: Id,
    displayName: Type.String(),
    email: Type.Optional(Type.String()),
    photoURL: Type.Optional(Url),
    urls: Type.Object({ location: Url }),
  },
  { $id: 'User' },
);
export type User = Static<typeof User>;
