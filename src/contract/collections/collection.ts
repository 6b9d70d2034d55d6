import Type, { type Static } from 'typebox';
import { DefaultLevel, Id, Url } from '../scalars.ts';

export const CollectionPermissions = Type.Object({
  view: Type.Boolean(),
  admin: Type.Boolean(),
  viewInviteLinks: Type.Boolean(),
  create: Type.Boolean(),
});

/** A group of spaces; collections nest. */
export const Collection = Type.Object(
  {
    object: Type.Literal('collection'),
    id: Id,
    title: Type.String(),
    description: Type.Optional(Type.String()),
    organization: Id,
    parent: Type.Optional(Id),
    defaultLevel: DefaultLevel,
    urls: Type.Object({ location: Url, app: Url }),
    permissions: CollectionPermissions,
  },
  { $id: 'Collection' },
);
export type Collection = Static<typeof Collection>;
