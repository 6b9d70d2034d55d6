import Type, { type Static } from 'typebox';
import { Id, Moment, RoleOrGuest, Url } from '../scalars.ts';
import { MergeRules } from './merge-rules.ts';

export const OrganizationPermissions = Type.Object({
  view: Type.Boolean(),
  admin: Type.Boolean(),
  ownTeam: Type.Boolean(),
  createContent: Type.Boolean(),
  createOpenAPISpec: Type.Boolean(),
  viewConversations: Type.Boolean({
    description: 'What people ask; it is for those who write docs. An extension.',
  }),
  ingestConversations: Type.Boolean(),
  viewBilling: Type.Boolean(),
  listMembers: Type.Boolean(),
  listTeams: Type.Boolean(),
  listIntegrations: Type.Boolean(),
  listInstallations: Type.Boolean(),
  installIntegration: Type.Boolean(),
});

/** A self-hosted organization has no plan to pay for, no trial and no billing; callers expect the first two all the same. */
export const Organization = Type.Object(
  {
    object: Type.Literal('organization'),
    id: Id,
    title: Type.String(),
    createdAt: Moment,
    emailDomains: Type.Array(Type.String()),
    hostname: Type.Optional(Type.String()),
    defaultContent: Type.Optional(Type.Object({ type: Type.Literal('site'), site: Id })),
    type: Type.Enum(['business', 'community'], { type: 'string' }),
    useCase: Type.Enum(
      ['internalDocs', 'docsSite', 'productDocs', 'designSystem', 'openSourceDocs', 'notes', 'other'],
      { type: 'string' },
    ),
    defaultRole: RoleOrGuest,
    sso: Type.Boolean(),
    ai: Type.Boolean(),
    inviteLinks: Type.Boolean(),
    plan: Type.Literal('internal'),
    trial: Type.Object({ status: Type.Literal('notapplicable'), count: Type.Integer() }),
    mergeRules: MergeRules,
    urls: Type.Object({ location: Url, app: Url, logo: Type.Optional(Url) }),
    permissions: OrganizationPermissions,
  },
  { $id: 'Organization' },
);
export type Organization = Static<typeof Organization>;
