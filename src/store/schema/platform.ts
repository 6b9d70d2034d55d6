/** Tables of the documentation platform: who may do what, the spaces, and their git operations. */
import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigserial,
  boolean,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { id, moment } from './columns.ts';

export const organizations = pgTable('organizations', {
  id: id('id').primaryKey(),
  title: text('title').notNull(),
  /** E-mail domains whose users may join by themselves; lower case. */
  emailDomains: text('email_domains').array().notNull().default(sql`'{}'`),
  hostname: text('hostname').unique(),
  /** The role of users who join; null for guests. */
  defaultRole: text('default_role'),
  logo: text('logo'),
  sso: boolean('sso').notNull().default(false),
  ai: boolean('ai').notNull().default(false),
  inviteLinks: boolean('invite_links').notNull().default(false),
  /** See MergeRules in the contract; null inherits. */
  mergeRules: jsonb('merge_rules'),
  /** The site that stands for the organization; cleared when that is deleted. */
  defaultSiteId: id('default_site_id'),
  createdAt: moment('created_at').notNull().defaultNow(),
});

export const users = pgTable('users', {
  id: id('id').primaryKey(),
  displayName: text('display_name').notNull(),
  /** In lower case. */
  email: text('email').notNull().unique(),
  /** When the user showed that mail to the address reaches them, or a trusted provider said so; null when nobody did. */
  emailVerifiedAt: moment('email_verified_at'),
  photoUrl: text('photo_url'),
  /** Whether mentions, replies and requests for a review are mailed to the user. */
  wantsMail: boolean('wants_mail').notNull().default(true),
  createdAt: moment('created_at').notNull().defaultNow(),
});

/** Where the members of an organization sign in: SAML 2.0 or OpenID Connect. */
export const identityProviders = pgTable(
  'identity_providers',
  {
    id: id('id').primaryKey(),
    organizationId: id('organization_id')
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** `saml` or `oidc`. */
    kind: text('kind').notNull(),
    label: text('label').notNull(),
    /** `pending` until somebody signed in with it, then `active`. */
    status: text('status').notNull().default('pending'),
    /** SAML: the provider's own name. */
    entityId: text('entity_id'),
    /** SAML: where sign-ins begin. */
    ssoUrl: text('sso_url'),
    /** SAML: the certificates that may sign, in PEM: one, or two while they are exchanged. */
    certificates: text('certificates').array().notNull().default(sql`'{}'`),
    /** OpenID Connect: its issuer, and this server's client there. */
    issuer: text('issuer'),
    clientId: text('client_id'),
    sealedClientSecret: text('sealed_client_secret'),
    /** OpenID Connect: what sign-ins ask for; null for the usual. */
    scopes: text('scopes').array(),
    /** The role of people who sign in for the first time; null for guests. */
    defaultRole: text('default_role'),
    /** The team that they join; it may be gone. */
    defaultTeamId: id('default_team_id'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    index('identity_providers_of_organization').on(table.organizationId, table.createdAt, table.id),
  ],
);

/** `role` null means guest (see Role in the contract). */
export const members = pgTable(
  'members',
  {
    organizationId: id('organization_id')
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    userId: id('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text('role'),
    joinedAt: moment('joined_at').notNull().defaultNow(),
    /** When the member was seen last: in a browser, to the hour, or by a ping. */
    lastSeenAt: moment('last_seen_at'),
    /** Since when the membership gives no access; null while it does. */
    disabledAt: moment('disabled_at'),
    /** Whether the member signs in by single sign-on only. */
    sso: boolean('sso').notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.userId] }),
    index('members_of_user').on(table.userId),
    index('members_by_joining').on(table.organizationId, table.joinedAt, table.userId),
  ],
);

/** Groups of spaces; they nest. */
export const collections = pgTable(
  'collections',
  {
    id: id('id').primaryKey(),
    organizationId: id('organization_id')
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    parentId: id('parent_id').references((): AnyPgColumn => collections.id),
    title: text('title').notNull(),
    description: text('description'),
    defaultLevel: text('default_level'),
    /** See `position` of spaces: spaces and collections share one order. */
    position: numeric('position').notNull().default('0'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    index('collections_of_organization').on(table.organizationId, table.position, table.id),
    index('collections_below').on(table.parentId),
  ],
);

/** Bearer tokens. Only the SHA-256 of a token is stored; the token itself is shown once, when it is created. */
export const apiTokens = pgTable(
  'api_tokens',
  {
    id: id('id').primaryKey(),
    userId: id('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** If set, the token opens this organization only, and its bearer may do what both `role` and the member's role allow. */
    organizationId: id('organization_id').references(() => organizations.id, { onDelete: 'cascade' }),
    role: text('role'),
    hash: text('hash').notNull().unique(),
    /** The token's first characters, by which its owner knows it again. */
    prefix: text('prefix'),
    /** `api`, or `scim` for an identity provider that keeps users and teams up to date. */
    scope: text('scope').notNull().default('api'),
    /** `server` when the operator created it on the machine, `user` when its owner did. */
    createdBy: text('created_by').notNull().default('server'),
    /** The token with which its owner made it, or signed in before they did: revoked with that one. */
    madeWith: id('made_with').references((): AnyPgColumn => apiTokens.id, { onDelete: 'set null' }),
    /** The organization whose single sign-on its owner had passed when they created it. */
    ssoOrganizationId: id('sso_organization_id').references(() => organizations.id, { onDelete: 'cascade' }),
    /** The provider at which they passed it: its tokens are revoked before it goes. */
    ssoProviderId: id('sso_provider_id').references(() => identityProviders.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull().defaultNow(),
    lastUsedAt: moment('last_used_at'),
    /** Null for the server's own token, which nobody is shown and which never expires. */
    expiresAt: moment('expires_at'),
    revokedAt: moment('revoked_at'),
  },
  (table) => [index('api_tokens_made_with').on(table.madeWith).where(sql`made_with is not null`)],
);

/** Browsers that are signed in. Only the SHA-256 of the secret in their cookie is stored. */
export const sessions = pgTable(
  'sessions',
  {
    id: id('id').primaryKey(),
    hash: text('hash').notNull().unique(),
    /** Null when the platform is another server: only that one knows its users. */
    userId: id('user_id').references(() => users.id, { onDelete: 'cascade' }),
    /** The token that was signed in with; null when another server issued it. */
    tokenId: id('token_id').references(() => apiTokens.id, { onDelete: 'cascade' }),
    /** How the user signed in: `token`, `password`, `mail`, `set-up`, `recovery`, `github`, `oidc` or `saml`. */
    provider: text('provider').notNull(),
    /** The provider of an organization that signed the user in; without it the session is over. */
    providerId: id('provider_id').references(() => identityProviders.id, { onDelete: 'cascade' }),
    /** The organization whose single sign-on the user passed, or whose recovery code they used. */
    ssoOrganizationId: id('sso_organization_id').references(() => organizations.id, { onDelete: 'cascade' }),
    /** The network address that signed in. */
    address: text('address'),
    /** The sealed token with which the pages call the platform for this user. */
    sealedToken: text('sealed_token'),
    displayName: text('display_name').notNull(),
    userAgent: text('user_agent'),
    createdAt: moment('created_at').notNull().defaultNow(),
    lastUsedAt: moment('last_used_at').notNull().defaultNow(),
    /** However much it is used. */
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    index('sessions_of_user').on(table.userId),
    index('sessions_of_token').on(table.tokenId),
    index('sessions_of_provider').on(table.providerId),
    index('sessions_by_expiry').on(table.expiresAt),
  ],
);

export const spaces = pgTable(
  'spaces',
  {
    id: id('id').primaryKey(),
    organizationId: id('organization_id')
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    title: text('title').notNull(),
    emoji: text('emoji'),
    parentId: id('parent_id').references(() => collections.id),
    /**
     * Order in the organization, and so among the children of a parent. What moves gets a number between its new
     * neighbours'; no other row changes. PostgreSQL's `numeric` has room between any two numbers.
     */
    position: numeric('position').notNull().default('0'),
    language: text('language'),
    visibility: text('visibility').notNull().default('private'),
    editMode: text('edit_mode').notNull().default('live'),
    defaultLevel: text('default_level'),
    /** See MergeRules in the contract; null inherits those of the organization. */
    mergeRules: jsonb('merge_rules'),
    /** The revision that readers see. One statement replaces it, so content appears completely or not at all. */
    revisionId: id('revision_id'),
    /** Where the content comes from: `{repoName, installationProvider, integration, url, updatedAt}`. */
    gitSync: jsonb('git_sync'),
    /** The revision that equalled the branch when the two were last compared: later revisions were edited here. */
    syncedRevisionId: id('synced_revision_id'),
    /** Counts up with every change of `content_ids`, so that a cache of them knows whether it is current. */
    idsVersion: integer('ids_version').notNull().default(0),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
    deletedAt: moment('deleted_at'),
  },
  (table) => [
    index('spaces_of_organization').on(table.organizationId, table.position, table.id),
    // Counts spaces by what decides who may see them, without reading their rows.
    index('spaces_by_access')
      .on(table.organizationId, table.parentId, table.visibility, table.defaultLevel)
      .where(sql`deleted_at is null`),
    index('spaces_of_collection').on(table.parentId, table.position, table.id),
    index('spaces_deleted').on(table.deletedAt).where(sql`deleted_at is not null`),
  ],
);

/** A git import or export of a space. Credentials are stored sealed, and deleted when the operation is complete. */
export const gitOperations = pgTable(
  'git_operations',
  {
    id: id('id').primaryKey(),
    /** Order of arrival. */
    sequence: bigserial('sequence', { mode: 'number' }).notNull(),
    spaceId: id('space_id')
      .notNull()
      .references(() => spaces.id, { onDelete: 'cascade' }),
    direction: text('direction').notNull(),
    /** `pending` → `running` → `success` or `failure`, or from either `skipped`; the API shows them as three states. */
    state: text('state').notNull(),
    stage: text('stage'),
    /** `{done, total}` of the stage. */
    progress: jsonb('progress'),
    /** `{code, message, path?, line?}` of a failure, or of the last attempt while another is due. */
    error: jsonb('error'),
    /** What happened, in one sentence for people. */
    message: text('message'),
    /** The content was live already, so no revision was written. */
    unchanged: boolean('unchanged').notNull().default(false),
    standalone: boolean('standalone').notNull().default(false),
    /** The request without its credentials. */
    request: jsonb('request').notNull(),
    sealedCredentials: text('sealed_credentials'),
    /** When the event happened that requested it; operations run in this order. */
    timestamp: moment('timestamp').notNull(),
    ref: text('ref').notNull(),
    commitOid: text('commit_oid'),
    revisionId: id('revision_id'),
    /** How many runs were started; also the fencing token that stops a superseded run from completing it. */
    attempts: integer('attempts').notNull().default(0),
    /** How many of the runs failed with a temporary error. */
    failures: integer('failures').notNull().default(0),
    /** The next attempt starts no earlier. */
    notBefore: moment('not_before'),
    createdAt: moment('created_at').notNull().defaultNow(),
    startedAt: moment('started_at'),
    endedAt: moment('ended_at'),
  },
  (table) => [
    index('git_operations_of_space').on(table.spaceId, table.sequence),
    index('git_operations_open')
      .on(table.spaceId, table.timestamp)
      .where(sql`state in ('pending', 'running')`),
    index('git_operations_executed')
      .on(table.spaceId, table.direction, table.timestamp)
      .where(sql`state in ('success', 'failure') and not standalone`),
    uniqueIndex('git_operations_sequence').on(table.sequence),
  ],
);
