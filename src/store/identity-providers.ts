import { and, asc, count, eq, isNull, ne, sql } from 'drizzle-orm';
import { type AgeKey, isYounger } from './age-keys.ts';
import type { Db } from './db.ts';
import { recoveryCodes, userIdentities } from './schema/people.ts';
import { apiTokens, identityProviders, sessions } from './schema/platform.ts';

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

/** Deletes a provider with the accounts there, and ends the sessions that began with it. */
export async function deleteIdentityProvider(db: Db, id: string): Promise<void> {
  await db.delete(identityProviders).where(eq(identityProviders.id, id));
}

/** Whether the organization has a provider, besides this one, with which somebody signed in before. */
export async function hasActiveProvider(db: Db, organizationId: string, exceptId = ''): Promise<boolean> {
  const rows = await db
    .select({ id: identityProviders.id })
    .from(identityProviders)
    .where(
      and(
        eq(identityProviders.organizationId, organizationId),
        eq(identityProviders.status, 'active'),
        ne(identityProviders.id, exceptId),
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

/** Forgets whom a provider knows, and ends the sessions that it began: another provider takes its place. */
export async function forgetProviderAccounts(db: Db, providerId: string): Promise<void> {
  await db.delete(userIdentities).where(eq(userIdentities.providerId, providerId));
  await db.delete(sessions).where(eq(sessions.providerId, providerId));
}
