import Type, { type Static } from 'typebox';
import { EmbeddedReference } from './embedded-reference.ts';
import { ReferenceResource } from './reference.ts';

export const LinkStatus = Type.Enum(['ok', 'broken', 'in-app'], { type: 'string' });

const fields = {
  status: LinkStatus,
  relation: Type.Enum(['reference', 'dependsOn'], { type: 'string' }),
  check: Type.Object(
    {
      verdict: Type.Enum(['ok', 'broken', 'in-app', 'unchecked'], { type: 'string' }),
      rule: Type.Optional(Type.String({ description: 'Why it is broken, for example `missing-anchor`.' })),
      message: Type.Optional(Type.String()),
      suggestion: Type.Optional(Type.String({ description: 'A destination that would be correct.' })),
    },
    {
      description:
        'The result of the link check. `unchecked` (an address outside the space that was not checked) has the status `ok`, since nothing shows that it is broken.',
    },
  ),
};

export const LinkResource = Type.Object(
  {
    ...fields,
    targetReference: EmbeddedReference,
    locationReferences: Type.Array(EmbeddedReference),
  },
  { $id: 'Link' },
);
export type LinkResource = Static<typeof LinkResource>;

/** A link of a page view, whose references name what they lead to by ids. */
export const PageLink = Type.Object(
  {
    ...fields,
    targetReference: ReferenceResource,
    locationReferences: Type.Array(ReferenceResource),
  },
  { $id: 'PageLink' },
);
export type PageLink = Static<typeof PageLink>;

/** Counts over all links of the space or page, whatever the filter and the page of results. */
export const LinkStats = Type.Object({
  total: Type.Integer(),
  broken: Type.Object({
    total: Type.Integer(),
    changeRequest: Type.Integer({ description: 'Of these, broken by the change request.' }),
  }),
  inApp: Type.Integer(),
  unchecked: Type.Integer(),
});
export type LinkStats = Static<typeof LinkStats>;
