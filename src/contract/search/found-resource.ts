import Type, { type Static } from 'typebox';
import { Url } from '../scalars.ts';

/** What is found by its name, in the order of the answer. */
export const foundKinds = [
  'space',
  'collection',
  'change-request',
  'site',
  'openapi-spec',
  'repository',
  'member',
  'team',
  'conversation',
  'conversations-cluster',
] as const;
export type FoundKind = (typeof foundKinds)[number];

/** Something of an organization whose name has all words of a query. */
export const FoundResource = Type.Object(
  {
    id: Type.String({ description: 'Of a specification its slug, of a repository its name.' }),
    title: Type.String(),
    detail: Type.Optional(
      Type.String({
        description:
          'What tells it from others of the same title: of a space its repository, of a change request its space, of a member the address.',
      }),
    ),
    urls: Type.Object({ app: Url }),
  },
  { $id: 'FoundResource' },
);
export type FoundResource = Static<typeof FoundResource>;

export const FoundGroup = Type.Object(
  {
    kind: Type.Enum([...foundKinds], { type: 'string' }),
    items: Type.Array(FoundResource, { description: 'The best matches.' }),
    more: Type.Boolean({ description: 'Whether there are more; the list of their kind has all.' }),
  },
  { $id: 'FoundGroup' },
);
export type FoundGroup = Static<typeof FoundGroup>;
