import Type, { type Static } from 'typebox';
import { Id, Role, Url } from '../scalars.ts';

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
    defaultLevel: Type.Optional(Role),
    urls: Type.Object({ location: Url, app: Url }),
    permissions: CollectionPermissions,
  },
  { $id: 'Collection' },
);
export type Collection = Static<typeof Collection>;
