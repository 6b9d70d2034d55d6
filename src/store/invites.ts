import { and, asc, count, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { type AgeKey, isYounger } from './age-keys.ts';
import type { Db } from './db.ts';
import type { OrganizationRow, UserRow } from './organizations.ts';
import { invites } from './schema/people.ts';
import { members, organizations, users } from './schema/platform.ts';

export type InviteRow = typeof invites.$inferSelect;
export type InviteKind = 'mail' | 'link';

/** How long an invitation works, in days. */
export const INVITE_DAYS = 7;

const until = sql`now() + make_interval(days => ${INVITE_DAYS})`;

export async function insertInvite(
  db: Db,
  invite: Pick<InviteRow, 'id' | 'organizationId' | 'email' | 'hash' | 'role' | 'maxUses' | 'createdBy'>,
): Promise<InviteRow> {
  const [row] = await db
    .insert(invites)
    .values({ ...invite, expiresAt: until })
    .returning();
  return row as InviteRow;
}

/** Invitations that were not revoked; of those by mail only the ones that can still be accepted. Oldest first. */
export async function listInvites(
  db: Db,
  organizationId: string,
  kind: InviteKind,
  { after, limit }: { readonly after: AgeKey | null; readonly limit: number },
): Promise<{ count: number; rows: readonly InviteRow[] }> {
  const matching = and(
    eq(invites.organizationId, organizationId),
    isOfKind(kind),
    kind === 'mail' ? isOpen() : isNull(invites.revokedAt),
  );
  const [total] = await db.select({ count: count() }).from(invites).where(matching);
  const rows = await db
    .select()
    .from(invites)
    .where(and(matching, isYounger(invites, after)))
    .orderBy(asc(invites.createdAt), asc(invites.id))
    .limit(limit);
  return { count: total?.count ?? 0, rows };
}

export async function loadInvite(
  db: Db,
  organizationId: string,
  kind: InviteKind,
  id: string,
): Promise<InviteRow | null> {
  const [row] = await db
    .select()
    .from(invites)
    .where(
      and(
        eq(invites.organizationId, organizationId),
        eq(invites.id, id),
        isOfKind(kind),
        isNull(invites.revokedAt),
      ),
    );
  return row ?? null;
}

/** Revokes the open invitations of an address. */
export async function revokeInvitesOf(db: Db, organizationId: string, email: string): Promise<void> {
  await db
    .update(invites)
    .set({ revokedAt: sql`now()` })
    .where(
      and(eq(invites.organizationId, organizationId), eq(invites.email, email), isNull(invites.revokedAt)),
    );
}

/** Revokes an invitation. Returns whether it was not before. */
export async function revokeInvite(db: Db, id: string): Promise<boolean> {
  const rows = await db
    .update(invites)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(invites.id, id), isNull(invites.revokedAt)))
    .returning({ id: invites.id });
  return rows.length > 0;
}

/** Gives an invitation another secret and time, and no uses. */
export async function renewInvite(db: Db, id: string, hash: string): Promise<InviteRow | null> {
  return await changeInvite(db, id, { hash, uses: 0, expiresAt: until });
}

export async function setInviteRole(db: Db, id: string, role: string | null): Promise<InviteRow | null> {
  return await changeInvite(db, id, { role });
}

async function changeInvite(
  db: Db,
  id: string,
  changes: { hash?: string; uses?: number; expiresAt?: SQL; role?: string | null },
): Promise<InviteRow | null> {
  const [row] = await db
    .update(invites)
    .set(changes)
    .where(and(eq(invites.id, id), isNull(invites.revokedAt)))
    .returning();
  return row ?? null;
}

/** The invitation with this hash that can still be accepted, locked; null for any other. */
export async function lockOpenInvite(
  tx: Db,
  organizationId: string,
  hash: string,
): Promise<InviteRow | null> {
  const [row] = await tx
    .select()
    .from(invites)
    .where(and(eq(invites.hash, hash), eq(invites.organizationId, organizationId), isOpen()))
    .for('update');
  return row ?? null;
}

/** Why an invitation cannot be accepted any more; `null` while it can. */
export type InviteEnd = 'revoked' | 'used-up' | 'expired' | 'links-off';

/** What the invitation with this hash is, for whoever has its address; null when there is none. */
export async function describeInvite(
  db: Db,
  hash: string,
): Promise<{
  readonly invite: InviteRow;
  readonly organization: OrganizationRow;
  readonly invitedBy: string | null;
  readonly end: InviteEnd | null;
} | null> {
  const end = sql<InviteEnd | null>`case
    when ${invites.revokedAt} is not null then 'revoked'
    when ${invites.uses} >= ${invites.maxUses} then 'used-up'
    when ${invites.expiresAt} <= now() then 'expired'
    when ${invites.email} is null and not ${organizations.inviteLinks} then 'links-off' end`;
  const [row] = await db
    .select({ invite: invites, organization: organizations, invitedBy: users.displayName, end })
    .from(invites)
    .innerJoin(organizations, eq(organizations.id, invites.organizationId))
    .leftJoin(users, eq(users.id, invites.createdBy))
    .where(eq(invites.hash, hash));
  return row ?? null;
}

/** Counts a use. Call it with the invitation locked. */
export async function recordInviteUse(tx: Db, id: string): Promise<void> {
  await tx
    .update(invites)
    .set({ uses: sql`${invites.uses} + 1` })
    .where(eq(invites.id, id));
}

/** How many invitations of an organization can still be accepted. */
export async function countOpenInvites(db: Db, organizationId: string): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(invites)
    .where(and(eq(invites.organizationId, organizationId), isOpen()));
  return row?.count ?? 0;
}

/** Makes a user a member. False when they are one already: then nothing changes. */
export async function insertMember(
  db: Db,
  member: { readonly organizationId: string; readonly userId: string; readonly role: string | null },
): Promise<boolean> {
  const rows = await db
    .insert(members)
    .values(member)
    .onConflictDoNothing()
    .returning({ userId: members.userId });
  return rows.length > 0;
}

/** Organizations whose `emailDomains` has this domain, at most `limit`. */
export async function listOrganizationsWithDomain(
  db: Db,
  domain: string,
  limit: number,
): Promise<readonly OrganizationRow[]> {
  return await db
    .select()
    .from(organizations)
    .where(sql`${domain} = any(${organizations.emailDomains})`)
    .orderBy(asc(organizations.createdAt), asc(organizations.id))
    .limit(limit);
}

export async function loadUser(db: Db, id: string): Promise<UserRow | null> {
  const [row] = await db.select().from(users).where(eq(users.id, id));
  return row ?? null;
}

function isOfKind(kind: InviteKind): SQL {
  return kind === 'mail' ? isNotNull(invites.email) : isNull(invites.email);
}

function isOpen(): SQL | undefined {
  return and(
    isNull(invites.revokedAt),
    sql`${invites.expiresAt} > now()`,
    sql`(${invites.maxUses} is null or ${invites.uses} < ${invites.maxUses})`,
  );
}
