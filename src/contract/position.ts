import Type, { type Static } from 'typebox';
import { Id } from './scalars.ts';

const Neighbour = Type.Union([
  Type.Object({ type: Type.Literal('space'), space: Id }, { additionalProperties: false }),
  Type.Object(
    { type: Type.Literal('collection'), collection: Id },
    { additionalProperties: false, description: 'Extension: spaces and collections share one order.' },
  ),
]);

/** A position among the children of the same parent. With both fields, the two must be adjacent. */
export const Position = Type.Object(
  {
    before: Type.Optional(Neighbour),
    after: Type.Optional(Neighbour),
  },
  {
    additionalProperties: false,
    description:
      'Directly `before` or directly `after` a sibling; with both, the two siblings must be adjacent.',
  },
);
export type Position = Static<typeof Position>;

/** The collection that something is moved into; null (an extension) for none. */
export const NewParent = Type.Union([Id, Type.Null()], {
  description: 'A collection, or null (extension) for the top of the organization; unchanged if absent.',
});
