import Type, { type Static } from 'typebox';
import { Moment } from '../scalars.ts';

const closed = { additionalProperties: false };
const description = Type.String({ maxLength: 512 });

const Claim = Type.Union([
  Type.Object({ type: Type.Literal('boolean'), description }, closed),
  Type.Object(
    {
      type: Type.Literal('string'),
      enum: Type.Optional(Type.Array(Type.String({ maxLength: 256 }), { minItems: 1, maxItems: 100 })),
      description,
    },
    closed,
  ),
  Type.Object({ type: Type.Literal('number'), description }, closed),
]);
export type VisitorClaim = Static<typeof Claim>;

const UnsignedClaims = Type.Object(
  {
    type: Type.Literal('object'),
    description: Type.String({ maxLength: 512 }),
    properties: Type.Record(Type.String(), Claim),
    additionalProperties: Type.Literal(false),
  },
  closed,
);

/** A JSON Schema (draft 7) of what is known of visitors. */
export const AdaptiveJsonSchema = Type.Object(
  {
    $schema: Type.Optional(Type.String({ maxLength: 100 })),
    type: Type.Literal('object'),
    properties: Type.Record(Type.String(), Type.Union([Claim, UnsignedClaims]), {
      description:
        'Each claim by its name; `unsigned` is an object of those that are not signed, which visitors could have made up.',
    }),
    additionalProperties: Type.Literal(false),
  },
  closed,
);
export type AdaptiveJsonSchema = Static<typeof AdaptiveJsonSchema>;

export const AdaptiveSchema = Type.Object(
  {
    object: Type.Literal('site-adaptive-schema'),
    jsonSchema: AdaptiveJsonSchema,
    updatedAt: Moment,
  },
  { $id: 'AdaptiveSchema' },
);
export type AdaptiveSchema = Static<typeof AdaptiveSchema>;

export const TemplateCondition = Type.Object({ description: Type.String(), condition: Type.String() });
export type TemplateCondition = Static<typeof TemplateCondition>;
