import Type, { type Static } from 'typebox';
import { Id } from '../scalars.ts';

export const VersionContext = Type.Union([
  Type.Object({ type: Type.Literal('revision'), revision: Id }),
  Type.Object({ type: Type.Literal('changeRequest'), changeRequest: Id }),
]);

/** The location of a reference in the source. Lines and columns start at 1; the end is exclusive. */
export const SourceSpan = Type.Object({
  path: Type.String({ description: 'The file in the repository.' }),
  line: Type.Integer(),
  column: Type.Integer({ description: 'In UTF-16 code units.' }),
  endLine: Type.Integer(),
  endColumn: Type.Integer(),
});

/** A pointer to a page, a file or a URL, among others; `kind` decides which fields are present. */
export const ReferenceResource = Type.Object(
  {
    kind: Type.Enum(
      ['page', 'file', 'url', 'anchor', 'space', 'collection', 'user', 'reusable-content', 'openapi'],
      { type: 'string' },
    ),
    organization: Type.Optional(Id),
    space: Type.Optional(Id),
    versionContext: Type.Optional(VersionContext),
    page: Type.Optional(Id),
    file: Type.Optional(Id),
    url: Type.Optional(
      Type.String({ description: 'As written; for a broken link not always a valid address.' }),
    ),
    spec: Type.Optional(Type.String({ description: 'For `kind: openapi`, the specification’s name.' })),
    internalLocation: Type.Optional(Type.Object({ type: Type.Literal('anchor'), anchor: Type.String() })),
    position: Type.Optional(SourceSpan),
  },
  { $id: 'Reference' },
);
export type ReferenceResource = Static<typeof ReferenceResource>;
