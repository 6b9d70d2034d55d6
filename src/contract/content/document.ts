import Type, { type Static } from 'typebox';

const Data = Type.Record(Type.String(), Type.Unknown());

const Leaf = Type.Object(
  {
    object: Type.Literal('leaf'),
    text: Type.String(),
    marks: Type.Array(
      Type.Object({
        object: Type.Literal('mark'),
        type: Type.String({ description: 'For example `bold`, `italic`, `code`.' }),
        data: Data,
      }),
    ),
  },
  { additionalProperties: false },
);

const NodeFields = Type.Object({
  object: Type.Enum(['block', 'inline', 'text', 'fragment'], { type: 'string' }),
  key: Type.String({ description: 'Unique in its document.' }),
  type: Type.Optional(
    Type.String({
      description: 'The type of a block, inline or fragment, for example `paragraph`. A text has none.',
    }),
  ),
  isVoid: Type.Optional(
    Type.Boolean({
      description:
        'Of blocks and inlines: whether it is shown from its `data`. Its `nodes` then only say the same as text.',
    }),
  ),
  data: Type.Optional(Data),
  meta: Type.Optional(
    Type.Object({
      id: Type.String({ description: 'The anchor that the fragment of a link names.' }),
      aliases: Type.Optional(Type.Array(Type.String(), { description: 'Further anchors. An extension.' })),
    }),
  ),
  fragment: Type.Optional(
    Type.String({ description: 'Of a fragment: the name by which other data refers to it.' }),
  ),
  leaves: Type.Optional(Type.Array(Leaf, { description: 'Of a text: its parts, each with its marks.' })),
});

/**
 * A part of a document. All kinds share one shape and differ in `object`: with a union of shapes, a serializer would
 * test every node once for each level above it to find the one that fits.
 */
export interface DocumentNodeResource extends Static<typeof NodeFields> {
  nodes?: DocumentNodeResource[];
  fragments?: DocumentNodeResource[];
}

const nodes = (description: string) => Type.Optional(Type.Array(Type.Ref('DocumentNode#'), { description }));

export const DocumentNodeResource = Type.Unsafe<DocumentNodeResource>(
  Type.Object(
    {
      ...NodeFields.properties,
      nodes: nodes('Its child nodes, in order; texts have `leaves` instead.'),
      fragments: nodes('Parts with a role of their own: a title, the cells of a table.'),
    },
    { $id: 'DocumentNode', additionalProperties: false },
  ),
);

/** A page as nodes: blocks contain blocks, inlines and texts. */
export const Document = Type.Object(
  {
    object: Type.Literal('document'),
    data: Type.Object(
      { schemaVersion: Type.Integer({ description: 'Raised when the meaning of nodes changes.' }) },
      { additionalProperties: true },
    ),
    nodes: Type.Array(DocumentNodeResource),
  },
  { $id: 'Document' },
);
export type Document = Static<typeof Document>;
