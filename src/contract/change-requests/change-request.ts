import Type, { type Static } from 'typebox';
import { Document } from '../content/document.ts';
import { DocumentInput } from '../content/document-input.ts';
import { User } from '../organizations/user.ts';
import { Id, Moment, Url } from '../scalars.ts';

/** `draft`: being written. `open`: up for review. `archived`: abandoned, but may be reopened. `merged`: done. */
export const ChangeRequestStatus = Type.Enum(['draft', 'open', 'archived', 'merged'], { type: 'string' });

export const Subject = Type.String({ maxLength: 256 });

/** The longest description, in UTF-16 code units of Markdown. */
export const MAX_DESCRIPTION_LENGTH = 64 * 1024;

/** What a change request is about, as its author writes it. */
export const Description = Type.Union([
  Type.Object(
    { markdown: Type.String({ maxLength: MAX_DESCRIPTION_LENGTH }) },
    { additionalProperties: false, description: 'Markdown; an empty text removes it.' },
  ),
  DocumentInput(
    'Nodes, as `description` of a change request is returned, which are stored as Markdown; without text they remove it.',
  ),
]);
export type Description = Static<typeof Description>;

/** A proposed revision of a space. */
export const ChangeRequest = Type.Object(
  {
    object: Type.Literal('change-request'),
    id: Id,
    number: Type.Integer({
      minimum: 1,
      description: 'Counts up within the space; may be used in place of the id.',
    }),
    subject: Type.String(),
    description: Type.Optional(Document),
    descriptionMarkdown: Type.Optional(
      Type.String({ description: 'The same as `description`; both only where a single one is read.' }),
    ),
    status: ChangeRequestStatus,
    createdAt: Moment,
    updatedAt: Moment,
    createdBy: Type.Optional(User),
    space: Id,
    revision: Type.String({ description: 'The revision that it proposes.' }),
    revisionInitial: Type.String({ description: 'The same as `revisionMergeBase`.' }),
    revisionMergeBase: Type.String({
      description:
        'The revision of the space that it is compared with: the one it started from, or was last updated to.',
    }),
    outdated: Type.Boolean({
      description:
        'Whether the content of the space has changed since; `update` brings the change request up to date.',
    }),
    removedAt: Type.Optional({
      ...Moment,
      description: 'Of an archived one: the earliest time at which it is deleted, unless it is reopened.',
    }),
    mergedAt: Type.Optional(Moment),
    mergedBy: Type.Optional(User),
    revisionMerged: Type.Optional(Id),
    mergedRevision: Type.Optional(
      Type.Unsafe<string>({ ...Id, description: 'The same as `revisionMerged`.' }),
    ),
    comments: Type.Integer(),
    urls: Type.Object({ location: Url, app: Url }),
    permissions: Type.Object({
      view: Type.Boolean(),
      comment: Type.Boolean(),
      edit: Type.Boolean(),
      review: Type.Boolean(),
      merge: Type.Boolean(),
    }),
  },
  { $id: 'ChangeRequest' },
);
export type ChangeRequest = Static<typeof ChangeRequest>;
