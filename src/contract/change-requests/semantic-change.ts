import Type, { type Static, type TSchema } from 'typebox';
import { pageTypes } from '../content/page.ts';
import { Id } from '../scalars.ts';
import { ChangeRequest } from './change-request.ts';

const ChangedPage = Type.Object({
  id: Id,
  type: Type.Enum([...pageTypes], { type: 'string' }),
  title: Type.String(),
  path: Type.Optional(Type.String()),
});

const ChangedRevisionFile = Type.Object({
  id: Id,
  name: Type.String(),
  contentType: Type.String(),
  downloadURL: Type.String(),
});

const ChangedReusableContent = Type.Object({ id: Id, title: Type.String() });

/** The values of a field before and after; absent for none. */
function Attribute<Value extends TSchema>(value: Value) {
  return Type.Optional(Type.Object({ before: Type.Optional(value), after: Type.Optional(value) }));
}

const Text = Attribute(Type.String());
const Plain = Attribute(Type.Record(Type.String(), Type.Unknown()));

/** One thing that a change request does; which fields it has follows from `type`. */
export const SemanticChange = Type.Object({
  type: Type.Enum(
    [
      'page_created',
      'page_edited',
      'page_deleted',
      'page_moved',
      'file_created',
      'file_edited',
      'file_deleted',
      'variables_edited',
      'reusable_content_created',
      'reusable_content_edited',
      'reusable_content_deleted',
    ],
    { type: 'string' },
  ),
  page: Type.Optional(ChangedPage),
  parent: Type.Optional(
    Type.Object(
      { before: Type.Optional(ChangedPage), after: Type.Optional(ChangedPage) },
      { description: 'Of a moved page: the pages that it is below; absent at the top.' },
    ),
  ),
  file: Type.Optional(ChangedRevisionFile),
  reusableContent: Type.Optional(ChangedReusableContent),
  attributes: Type.Optional(
    Type.Object({
      title: Text,
      description: Text,
      slug: Text,
      emoji: Text,
      document: Type.Optional(
        Type.Object(
          { before: Type.Optional(Type.String()), after: Type.Optional(Type.String()) },
          { description: 'The git oids of its file; with the same on both sides, an included file differs.' },
        ),
      ),
      target: Plain,
      cover: Plain,
      layout: Plain,
      variables: Plain,
      name: Text,
      contentType: Text,
      downloadURL: Text,
      size: Attribute(Type.Integer()),
      dimensions: Attribute(Type.Object({ width: Type.Integer(), height: Type.Integer() })),
    }),
  ),
  variables: Type.Optional(
    Type.Record(
      Type.String(),
      Type.Object({ before: Type.Optional(Type.String()), after: Type.Optional(Type.String()) }),
    ),
  ),
});
export type SemanticChange = Static<typeof SemanticChange>;

/** What a change request does, pages first. */
export const SemanticChanges = Type.Object(
  {
    mergedFrom: Type.Optional(ChangeRequest),
    changes: Type.Array(SemanticChange),
    more: Type.Optional(Type.Integer({ description: 'How many changes are left out; absent for none.' })),
  },
  { $id: 'SemanticChanges' },
);
export type SemanticChanges = Static<typeof SemanticChanges>;
