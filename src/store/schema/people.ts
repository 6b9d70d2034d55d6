/** Tables about people: how they sign in, what they were invited to, their teams and grants, and what they changed. */
import { sql } from 'drizzle-orm';
import {
  bigserial,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { id, moment } from './columns.ts';
import { collections, identityProviders, members, organizations, spaces, users } from './platform.ts';
import { sites } from './sites.ts';

/** An account at a provider that signs a user in. It is found by provider and subject, never by an e-mail address alone. */
export const userIdentities = pgTable(
  'user_identities',
  {
    id: id('id').primaryKey(),
    userId: id('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Null for GitHub, which belongs to no organization. */
    providerId: id('provider_id').references(() => identityProviders.id, { onDelete: 'cascade' }),
    /** `github`, `oidc` or `saml`. */
    kind: text('kind').notNull(),
    /** GitHub's user id, `sub` of OpenID Connect, NameID of SAML. */
    subject: text('subject').notNull(),
    /** What people know the account by there: a login or an address. */
    label: text('label'),
    createdAt: moment('created_at').notNull().defaultNow(),
    lastUsedAt: moment('last_used_at').notNull().defaultNow(),
  },
  (table) => [
    unique('user_identities_by_subject').on(table.kind, table.providerId, table.subject).nullsNotDistinct(),
    index('user_identities_of_user').on(table.userId),
  ],
);

/** Apart from `users`, so that no query reads a hash by accident. */
export const passwords = pgTable('passwords', {
  userId: id('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** With its algorithm, parameters and salt, in the format of PHC strings. */
  hash: text('hash').notNull(),
  changedAt: moment('changed_at').notNull().defaultNow(),
});

/** Codes with which an administrator signs in when the single sign-on of the organization fails; each works once. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    hash: text('hash').primaryKey(),
    organizationId: id('organization_id').notNull(),
    userId: id('user_id').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    usedAt: moment('used_at'),
  },
  (table) => [
    index('recovery_codes_of_member').on(table.organizationId, table.userId),
    foreignKey({
      columns: [table.organizationId, table.userId],
      foreignColumns: [members.organizationId, members.userId],
    }).onDelete('cascade'),
  ],
);

/** Addresses that work once, sent by mail or printed: only the SHA-256 of their secret is stored. */
export const signInLinks = pgTable(
  'sign_in_links',
  {
    hash: text('hash').primaryKey(),
    /** `sign-in`, `password`, `verify-email`, `change-email`, `invite` or `set-up`. */
    purpose: text('purpose').notNull(),
    userId: id('user_id').references(() => users.id, { onDelete: 'cascade' }),
    email: text('email'),
    /** A path of this server. */
    returnTo: text('return_to'),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
    usedAt: moment('used_at'),
  },
  (table) => [
    index('sign_in_links_of_user').on(table.userId),
    index('sign_in_links_by_expiry').on(table.expiresAt),
  ],
);

/** Sign-ins that a browser began at a provider and has not finished. */
export const signInRequests = pgTable(
  'sign_in_requests',
  {
    /** SHA-256 of the `state` or `RelayState` that the provider returns. */
    hash: text('hash').primaryKey(),
    /** `github`, `oidc` or `saml`. */
    kind: text('kind').notNull(),
    providerId: id('provider_id').references(() => identityProviders.id, { onDelete: 'cascade' }),
    /** Of SAML: the answer names it in `InResponseTo`. */
    requestId: text('request_id').unique(),
    /** SHA-256 of the cookie of the browser that began. */
    browserHash: text('browser_hash').notNull(),
    /** The code verifier and the nonce, as sealed JSON. */
    sealedSecrets: text('sealed_secrets'),
    returnTo: text('return_to'),
    /** Who tries the provider out; nobody is signed in then. */
    testedBy: id('tested_by').references(() => users.id, { onDelete: 'cascade' }),
    /** Who links an account at the provider to their own; nobody is signed in then either. */
    linkTo: id('link_to').references(() => users.id, { onDelete: 'cascade' }),
    /** What a try showed, or whom the provider named to whoever links an account. */
    outcome: jsonb('outcome'),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
    usedAt: moment('used_at'),
  },
  (table) => [
    index('sign_in_requests_of_provider').on(table.providerId),
    index('sign_in_requests_by_expiry').on(table.expiresAt),
  ],
);

/** Assertions of SAML that signed somebody in, until they expire: none signs in twice. */
export const usedAssertions = pgTable(
  'used_assertions',
  {
    providerId: id('provider_id')
      .notNull()
      .references(() => identityProviders.id, { onDelete: 'cascade' }),
    assertionId: text('assertion_id').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.providerId, table.assertionId] }),
    index('used_assertions_by_expiry').on(table.expiresAt),
  ],
);

/** Failed sign-ins of an account or a network address, by the SHA-256 of either, for locking it out for a while. */
export const signInFailures = pgTable('sign_in_failures', {
  key: text('key').primaryKey(),
  failures: integer('failures').notNull(),
  lastAt: moment('last_at').notNull(),
  lockedUntil: moment('locked_until'),
});

/** Domains of e-mail addresses that an organization claims, and those it has proved by a record in the DNS. */
export const emailDomains = pgTable(
  'email_domains',
  {
    organizationId: id('organization_id')
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** Lower case. */
    domain: text('domain').notNull(),
    /** What the record must contain. */
    challenge: text('challenge').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    provedAt: moment('proved_at'),
    /** When the record of a proved domain was looked for last. */
    checkedAt: moment('checked_at'),
    /** Since when each look found the DNS without it; null while it is there. */
    missingSince: moment('missing_since'),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.domain] }),
    index('email_domains_by_domain').on(table.domain),
  ],
);

/** Invitations to an organization, a collection or a space: by mail to one address, or by a link for several people. */
export const invites = pgTable(
  'invites',
  {
    id: id('id').primaryKey(),
    organizationId: id('organization_id')
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** The only address that may use it, in lower case; null for a link. */
    email: text('email'),
    /** SHA-256 of the secret in its address. */
    hash: text('hash').notNull().unique(),
    /** The role in the organization; null for guests. */
    role: text('role'),
    /** With `level`: what is shared besides. */
    spaceId: id('space_id').references(() => spaces.id, { onDelete: 'cascade' }),
    collectionId: id('collection_id').references(() => collections.id, { onDelete: 'cascade' }),
    level: text('level'),
    /** Whoever accepts joins these teams, as far as they still exist. */
    teamIds: text('team_ids').array().notNull().default(sql`'{}'`),
    /** Null for no limit. */
    maxUses: integer('max_uses'),
    uses: integer('uses').notNull().default(0),
    createdBy: id('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
    revokedAt: moment('revoked_at'),
  },
  (table) => [
    index('invites_of_organization').on(table.organizationId, table.createdAt, table.id),
    index('invites_of_space').on(table.spaceId),
    index('invites_of_collection').on(table.collectionId),
  ],
);

export const teams = pgTable(
  'teams',
  {
    id: id('id').primaryKey(),
    organizationId: id('organization_id')
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    title: text('title').notNull(),
    /** The identity provider's own id of the group that this team mirrors. */
    externalId: text('external_id'),
    /** Since when an identity provider keeps the title and the members up to date (RFC 7644); null for other teams. */
    provisionedAt: moment('provisioned_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('teams_of_organization').on(table.organizationId, table.createdAt, table.id),
    index('teams_provisioned')
      .on(table.organizationId, sql`lower(${table.title})`)
      .where(sql`provisioned_at is not null`),
  ],
);

export const teamMembers = pgTable(
  'team_members',
  {
    teamId: id('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    organizationId: id('organization_id').notNull(),
    userId: id('user_id').notNull(),
    /** `owner` or `member`. */
    role: text('role').notNull(),
    joinedAt: moment('joined_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.teamId, table.userId] }),
    index('team_members_of_member').on(table.organizationId, table.userId),
    foreignKey({
      columns: [table.organizationId, table.userId],
      foreignColumns: [members.organizationId, members.userId],
    }).onDelete('cascade'),
  ],
);

/**
 * What a member or a team may do beyond the member's role: in the organization, or where one of `spaceId`, `collectionId`
 * and `siteId` is set, only there.
 */
export const grants = pgTable(
  'grants',
  {
    id: id('id').primaryKey(),
    organizationId: id('organization_id')
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    userId: id('user_id'),
    teamId: id('team_id').references(() => teams.id, { onDelete: 'cascade' }),
    spaceId: id('space_id').references(() => spaces.id, { onDelete: 'cascade' }),
    collectionId: id('collection_id').references(() => collections.id, { onDelete: 'cascade' }),
    siteId: id('site_id').references(() => sites.id, { onDelete: 'cascade' }),
    role: text('role').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    unique('grants_by_subject')
      .on(table.organizationId, table.userId, table.teamId, table.spaceId, table.collectionId, table.siteId)
      .nullsNotDistinct(),
    check('grants_have_one_subject', sql`num_nonnulls(${table.userId}, ${table.teamId}) = 1`),
    check(
      'grants_have_at_most_one_place',
      sql`num_nonnulls(${table.spaceId}, ${table.collectionId}, ${table.siteId}) <= 1`,
    ),
    index('grants_of_team').on(table.teamId),
    index('grants_in_space').on(table.spaceId),
    index('grants_in_collection').on(table.collectionId),
    index('grants_in_site').on(table.siteId),
    foreignKey({
      columns: [table.organizationId, table.userId],
      foreignColumns: [members.organizationId, members.userId],
    }).onDelete('cascade'),
  ],
);

/** Who did what: rows are added in the transaction of the change, never updated, and removed only by age. */
export const auditEvents = pgTable(
  'audit_events',
  {
    id: bigserial('id', { mode: 'bigint' }).primaryKey(),
    at: moment('at').notNull().defaultNow(),
    /** Null for what concerns no organization, such as a failed sign-in. No reference: what happened outlives it. */
    organizationId: id('organization_id'),
    /** For example `member.remove`. */
    action: text('action').notNull(),
    /** `success`, `refused` or `failure`. */
    outcome: text('outcome').notNull(),
    /** Of a refusal or failure, in one sentence. */
    reason: text('reason'),
    /** `user`, `provider` (an identity provider), `server` or `nobody`. */
    actorKind: text('actor_kind').notNull(),
    actorId: text('actor_id'),
    actorName: text('actor_name'),
    tokenId: text('token_id'),
    sessionId: text('session_id'),
    address: text('address'),
    userAgent: text('user_agent'),
    requestId: text('request_id'),
    /** The kind of a resource, such as `member`, `team` or `space`. */
    targetKind: text('target_kind'),
    targetId: text('target_id'),
    targetName: text('target_name'),
    /** The fields that changed, without secrets. */
    before: jsonb('before'),
    after: jsonb('after'),
  },
  (table) => [
    index('audit_events_of_organization').on(table.organizationId, table.id),
    index('audit_events_by_time').on(table.at),
    index('audit_events_of_actor').on(table.actorId, table.id),
    index('audit_events_of_target').on(table.targetKind, table.targetId, table.id),
    // Also for the beginning of an action, `member.`.
    index('audit_events_by_action').on(table.organizationId, table.action.op('text_pattern_ops'), table.id),
    index('audit_events_failed')
      .on(table.organizationId, table.outcome, table.id)
      .where(sql`outcome <> 'success'`),
  ],
);

/** Mails that wait to be sent, and those that were. */
export const mails = pgTable(
  'mails',
  {
    id: id('id').primaryKey(),
    organizationId: id('organization_id').references(() => organizations.id, { onDelete: 'cascade' }),
    /** The address it goes to. */
    recipient: text('recipient').notNull(),
    template: text('template').notNull(),
    /** What the template shows, as sealed JSON, because it has addresses that sign in; emptied when the mail was sent. */
    sealedValues: text('sealed_values'),
    /** `queued`, `sent`, `failed`, or `not-sent` where no mail server is set, or its reader may not have it any more. */
    state: text('state').notNull(),
    /** Why it was not sent, in one sentence. */
    problem: text('problem'),
    attempts: integer('attempts').notNull().default(0),
    createdAt: moment('created_at').notNull().defaultNow(),
    endedAt: moment('ended_at'),
  },
  (table) => [index('mails_by_age').on(table.createdAt)],
);

/** Users and groups by the ids with which an identity provider knows them (RFC 7644). */
export const provisioned = pgTable(
  'provisioned',
  {
    organizationId: id('organization_id').notNull(),
    userId: id('user_id').notNull(),
    /** As the provider sent it: Okta's is an address, Entra's may be any text. */
    userName: text('user_name').notNull(),
    externalId: text('external_id'),
    /** What the provider wants; an administrator may have disabled the member all the same. */
    active: boolean('active').notNull().default(true),
    /** When the provider disabled the member. It gives back only what it took: see `disabledAt` of the member. */
    disabledAt: moment('disabled_at'),
    /** What else the provider sent and reads again: its names of the person, and their addresses. */
    profile: jsonb('profile').notNull().default({}),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.userId] }),
    uniqueIndex('provisioned_by_name').on(table.organizationId, sql`lower(${table.userName})`),
    index('provisioned_by_external_id').on(table.organizationId, table.externalId),
    index('provisioned_by_age').on(table.organizationId, table.createdAt, table.userId),
    foreignKey({
      columns: [table.organizationId, table.userId],
      foreignColumns: [members.organizationId, members.userId],
    }).onDelete('cascade'),
  ],
);
