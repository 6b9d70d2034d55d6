import Type, { type Static } from 'typebox';
import { GitInfo } from '../git/git-info.ts';
import { SpaceLanguage } from '../language.ts';
import { MergeRules } from '../organizations/merge-rules.ts';
import { DefaultLevel, Id, Moment, Url } from '../scalars.ts';

export const Visibility = Type.Enum(
  ['public', 'unlisted', 'share-link', 'visitor-auth', 'in-collection', 'private'],
  { type: 'string' },
);

/** `live`: users edit directly. `locked`: all edits are locked, imports included. */
export const EditMode = Type.Enum(['live', 'locked'], { type: 'string' });

export const SpacePermissions = Type.Object({
  view: Type.Boolean(),
  access: Type.Boolean(),
  admin: Type.Boolean(),
  viewInviteLinks: Type.Boolean(),
  edit: Type.Boolean(),
  triggerGitSync: Type.Boolean(),
  comment: Type.Boolean(),
  merge: Type.Boolean(),
  review: Type.Boolean(),
  installIntegration: Type.Boolean(),
});

export const Space = Type.Object(
  {
    object: Type.Literal('space'),
    id: Id,
    title: Type.String(),
    emoji: Type.Optional(Type.String()),
    visibility: Visibility,
    createdAt: Moment,
    updatedAt: Moment,
    deletedAt: Type.Optional(Moment),
    editMode: EditMode,
    mergeRules: MergeRules,
    urls: Type.Object({
      location: Url,
      app: Url,
      published: Type.Optional(Url),
      public: Type.Optional(Url),
      icon: Type.Optional(Url),
    }),
    organization: Id,
    parent: Type.Optional(Id),
    language: Type.Optional(SpaceLanguage),
    gitSync: Type.Optional(GitInfo),
    visitorAuth: Type.Optional(Type.Object({ backend: Type.String() })),
    revision: Type.Optional(
      Type.String({ description: 'The active revision; absent until the space has content.' }),
    ),
    defaultLevel: DefaultLevel,
    comments: Type.Integer(),
    changeRequests: Type.Integer(),
    changeRequestsOpen: Type.Integer(),
    changeRequestsDraft: Type.Integer(),
    permissions: SpacePermissions,
  },
  { $id: 'Space' },
);
export type Space = Static<typeof Space>;
