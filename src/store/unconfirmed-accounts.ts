import { and, asc, count, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { type AgeKey, isYounger } from './age-keys.ts';
import type { Db } from './db.ts';
import type { UserRow } from './organizations.ts';
import { emailDomains, passwords, recoveryCodes, userIdentities } from './schema/people.ts';
import { apiTokens, members, sessions, users } from './schema/platform.ts';

/**
 * The number of users who are no members of the organization, with an address in a domain that it proved, which nobody has
 * confirmed, and who can sign in; and those after `after`, oldest first.
 */
export async function listUnconfirmedAccounts(
  db: Db,
  organizationId: string,
  { after, limit }: { readonly after: AgeKey | null; readonly limit: number },
): Promise<{ readonly count: number; readonly rows: readonly UserRow[] }> {
  const matching = isUnconfirmed(organizationId);
  const [total] = await db.select({ count: count() }).from(users).where(matching);
  const rows = await db
    .select()
    .from(users)
    .where(and(matching, isYounger(users, after)))
    .orderBy(asc(users.createdAt), asc(users.id))
    .limit(limit);
  return { count: total?.count ?? 0, rows };
}

/** Such a user, to whom nothing is added until the transaction is complete; null for any other. */
export async function lockUnconfirmedAccount(
  db: Db,
  organizationId: string,
  userId: string,
): Promise<UserRow | null> {
  const [row] = await db
    .select()
    .from(users)
    .where(and(eq(users.id, userId), isUnconfirmed(organizationId)))
    .for('update');
  return row ?? null;
}

function isUnconfirmed(organizationId: string): SQL | undefined {
  return and(
    isNull(users.emailVerifiedAt),
    sql`substring(${users.email} from '[^@]*$') in (select domain from ${emailDomains}
      where organization_id = ${organizationId} and proved_at is not null)`,
    sql`not exists (select from ${members}
      where organization_id = ${organizationId} and user_id = ${users.id})`,
    sql`(exists (select from ${passwords} where user_id = ${users.id})
      or exists (select from ${userIdentities} where user_id = ${users.id})
      or exists (select from ${recoveryCodes} where user_id = ${users.id} and used_at is null)
      or exists (select from ${apiTokens} where user_id = ${users.id} and created_by = 'user'
        and revoked_at is null and coalesce(expires_at > now(), true))
      or exists (select from ${sessions} where user_id = ${users.id} and expires_at > now()))`,
  );
}
