import {
  and,
  asc,
  count,
  eq,
  exists,
  getTableColumns,
  isNotNull,
  isNull,
  ne,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import { type AgeKey, isYounger } from './age-keys.ts';
import type { Db } from './db.ts';
import { emailDomains, recoveryCodes, userIdentities } from './schema/people.ts';
import { apiTokens, identityProviders, members, sessions } from './schema/platform.ts';
import { revokeProviderTokens } from './tokens.ts';

export type IdentityProviderRow = typeof identityProviders.$inferSelect;
export type ProviderKind = 'saml' | 'oidc';

export async function insertIdentityProvider(
  db: Db,
  provider: typeof identityProviders.$inferInsert,
): Promise<IdentityProviderRow> {
  const [row] = await db.insert(identityProviders).values(provider).returning();
  return row as IdentityProviderRow;
}

export async function loadIdentityProvider(db: Db, id: string): Promise<IdentityProviderRow | null> {
  const [row] = await db.select().from(identityProviders).where(eq(identityProviders.id, id));
  return row ?? null;
}

/**
 * The provider, which nobody changes (`share`), or nobody else locks either (`no key update`), until the transaction
 * is complete.
 */
export async function lockIdentityProvider(
  db: Db,
  id: string,
  strength: 'share' | 'no key update',
): Promise<IdentityProviderRow | null> {
  const [row] = await db.select().from(identityProviders).where(eq(identityProviders.id, id)).for(strength);
  return row ?? null;
}

/** Those of an organization, of one kind or of all: their number, and those after `after`, oldest first. */
export async function listIdentityProviders(
  db: Db,
  organizationId: string,
  options: { readonly kind: ProviderKind | null; readonly after: AgeKey | null; readonly limit: number },
): Promise<{ readonly count: number; readonly rows: readonly IdentityProviderRow[] }> {
  const { kind, after, limit } = options;
  const matching = and(
    eq(identityProviders.organizationId, organizationId),
    kind === null ? undefined : eq(identityProviders.kind, kind),
  );
  const [total] = await db.select({ count: count() }).from(identityProviders).where(matching);
  const rows = await db
    .select()
    .from(identityProviders)
    .where(and(matching, isYounger(identityProviders, after)))
    .orderBy(asc(identityProviders.createdAt), asc(identityProviders.id))
    .limit(limit);
  return { count: total?.count ?? 0, rows };
}

export async function updateIdentityProvider(
  db: Db,
  id: string,
  changes: Partial<Omit<IdentityProviderRow, 'id' | 'organizationId' | 'kind' | 'createdAt'>>,
): Promise<IdentityProviderRow | null> {
  const [row] = await db
    .update(identityProviders)
    .set({ ...changes, updatedAt: sql`now()` })
    .where(eq(identityProviders.id, id))
    .returning();
  return row ?? null;
}

/** What ended with a provider. */
export interface EndedAccounts {
  /** How many accounts there were. */
  readonly accounts: number;
  /** The first of their users. */
  readonly users: readonly string[];
  /** How many tokens were revoked. */
  readonly tokens: number;
}

/** How many users `EndedAccounts` names. */
const MOST_NAMED = 100;

/** Deletes a provider with the accounts there, and ends the sessions and tokens that passed it. Lock it before. */
export async function deleteIdentityProvider(db: Db, id: string): Promise<EndedAccounts> {
  const ended = await forgetProviderAccounts(db, id);
  await db.delete(identityProviders).where(eq(identityProviders.id, id));
  return ended;
}

/**
 * Whether credentials that passed single sign-on at a provider still do, which stays so until the transaction is complete.
 */
export async function lockCredentials(
  db: Db,
  providerId: string,
  of: { readonly sessionId?: string | null | undefined; readonly tokenId?: string | null | undefined },
): Promise<boolean> {
  if ((await lockIdentityProvider(db, providerId, 'share')) === null) return false;
  const { sessionId = null, tokenId = null } = of;
  const { rows } = await db.execute<{ found: boolean }>(
    sessionId !== null
      ? sql`select exists (select from ${sessions} where id = ${sessionId}) as found`
      : sql`select exists (select from ${apiTokens} where id = ${tokenId} and revoked_at is null) as found`,
  );
  return rows[0]?.found === true;
}

/** Condition for providers that somebody signed in with before, and that still have all that sign-ins need. */
function isWorking(): SQL | undefined {
  return and(eq(identityProviders.status, 'active'), hasAllValues());
}

/** Condition for providers with all that sign-ins need. */
function hasAllValues(): SQL {
  const { kind, entityId, ssoUrl, certificates, issuer, clientId } = identityProviders;
  return sql`case ${kind}
      when 'saml' then ${entityId} <> '' and ${ssoUrl} <> '' and cardinality(${certificates}) > 0
      else ${issuer} <> '' and ${clientId} <> '' end`;
}

/** The providers that work of the organizations that have proved this e-mail domain, oldest first; at most 20. */
export async function listProvidersOfDomain(db: Db, domain: string): Promise<readonly IdentityProviderRow[]> {
  return await db
    .select(getTableColumns(identityProviders))
    .from(identityProviders)
    .innerJoin(emailDomains, eq(emailDomains.organizationId, identityProviders.organizationId))
    .where(and(eq(emailDomains.domain, domain), isNotNull(emailDomains.provedAt), isWorking()))
    .orderBy(asc(identityProviders.createdAt), asc(identityProviders.id))
    .limit(20);
}

/** A provider at which a user may have an account of their own. */
export interface LinkableProviderRow {
  readonly id: string;
  readonly kind: ProviderKind;
  readonly label: string;
  /** What the user's account there is known by; null without one. */
  readonly account: string | null;
}

/**
 * The providers of the organizations that have proved the domain of a user's address, oldest first; at most 20. Members
 * also see those that nobody has signed in with yet.
 */
export async function listLinkableProviders(
  db: Db,
  user: { readonly id: string; readonly domain: string },
): Promise<readonly LinkableProviderRow[]> {
  const { id, kind, label, organizationId, createdAt } = identityProviders;
  const isMember = exists(
    db
      .select({ userId: members.userId })
      .from(members)
      .where(
        and(
          eq(members.organizationId, organizationId),
          eq(members.userId, user.id),
          isNull(members.disabledAt),
        ),
      ),
  );
  const rows = await db
    .select({
      id,
      kind,
      label,
      account: sql<string | null>`coalesce(${userIdentities.label}, ${userIdentities.subject})`,
    })
    .from(identityProviders)
    .innerJoin(emailDomains, eq(emailDomains.organizationId, organizationId))
    .leftJoin(userIdentities, and(eq(userIdentities.providerId, id), eq(userIdentities.userId, user.id)))
    .where(
      and(
        eq(emailDomains.domain, user.domain),
        isNotNull(emailDomains.provedAt),
        hasAllValues(),
        or(eq(identityProviders.status, 'active'), isMember),
      ),
    )
    .orderBy(asc(createdAt), asc(id))
    .limit(20);
  return rows.map((row) => ({ ...row, kind: row.kind as ProviderKind }));
}

/** Whether `listProvidersOfDomain` finds any for some domain. */
export async function hasProviderForSomeDomain(db: Db): Promise<boolean> {
  const rows = await db
    .select({ id: identityProviders.id })
    .from(identityProviders)
    .innerJoin(emailDomains, eq(emailDomains.organizationId, identityProviders.organizationId))
    .where(and(isNotNull(emailDomains.provedAt), isWorking()))
    .limit(1);
  return rows.length > 0;
}

/** Whether the organization has a provider that works, besides this one. */
export async function hasActiveProvider(db: Db, organizationId: string, exceptId = ''): Promise<boolean> {
  const rows = await db
    .select({ id: identityProviders.id })
    .from(identityProviders)
    .where(
      and(
        eq(identityProviders.organizationId, organizationId),
        isWorking(),
        ne(identityProviders.id, exceptId),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** Whether a user has an account at a provider of the organization that works. */
export async function hasIdentityIn(db: Db, organizationId: string, userId: string): Promise<boolean> {
  const rows = await db
    .select({ id: userIdentities.id })
    .from(userIdentities)
    .innerJoin(identityProviders, eq(identityProviders.id, userIdentities.providerId))
    .where(
      and(
        eq(userIdentities.userId, userId),
        eq(identityProviders.organizationId, organizationId),
        isWorking(),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** Whether a session, or a token that was made in one, passed the single sign-on of the organization. */
export async function hasPassedSso(
  db: Db,
  credentials: {
    readonly organizationId: string;
    readonly sessionId: string | null;
    readonly tokenId: string | null;
  },
): Promise<boolean> {
  const { organizationId, sessionId, tokenId } = credentials;
  const table = sessionId === null ? apiTokens : sessions;
  const rows = await db
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.id, sessionId ?? tokenId ?? ''), eq(table.ssoOrganizationId, organizationId)));
  return rows.length > 0;
}

/** Whether a member has recovery codes that work. */
export async function hasRecoveryCodes(db: Db, organizationId: string, userId: string): Promise<boolean> {
  const rows = await db
    .select({ hash: recoveryCodes.hash })
    .from(recoveryCodes)
    .where(
      and(
        eq(recoveryCodes.organizationId, organizationId),
        eq(recoveryCodes.userId, userId),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** Forgets whom a provider knows, and ends what passed it: another provider takes its place. Lock it before. */
export async function forgetProviderAccounts(db: Db, providerId: string): Promise<EndedAccounts> {
  const forgotten = await db
    .delete(userIdentities)
    .where(eq(userIdentities.providerId, providerId))
    .returning({ userId: userIdentities.userId });
  return {
    accounts: forgotten.length,
    users: forgotten
      .map(({ userId }) => userId)
      .toSorted()
      .slice(0, MOST_NAMED),
    tokens: await endProviderSessions(db, providerId),
  };
}

/** Ends the sessions and tokens that passed single sign-on at a provider; returns how many tokens. Lock it before. */
export async function endProviderSessions(db: Db, providerId: string): Promise<number> {
  await db.delete(sessions).where(eq(sessions.providerId, providerId));
  return await revokeProviderTokens(db, providerId);
}
