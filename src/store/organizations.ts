import { and, asc, count, eq, inArray, ne, or, sql } from 'drizzle-orm';
import { type AgeKey, isYounger } from './age-keys.ts';
import type { Db } from './db.ts';
import { members, organizations, users } from './schema/platform.ts';

export type OrganizationRow = typeof organizations.$inferSelect;
export type UserRow = typeof users.$inferSelect;

/** Inserts an organization with its first administrator. */
export async function insertOrganization(
  db: Db,
  organization: { readonly id: string; readonly title: string; readonly adminId: string },
): Promise<OrganizationRow> {
  return await db.transaction(async (tx) => {
    const [row] = await tx
      .insert(organizations)
      .values({ id: organization.id, title: organization.title })
      .returning();
    await tx
      .insert(members)
      .values({ organizationId: organization.id, userId: organization.adminId, role: 'admin' });
    return row as OrganizationRow;
  });
}

export async function loadOrganization(db: Db, id: string): Promise<OrganizationRow | null> {
  const [row] = await db.select().from(organizations).where(eq(organizations.id, id));
  return row ?? null;
}

/** The organization that has the hostname, or the id. */
export async function findOrganizationAt(
  db: Db,
  organization: { readonly hostname: string } | { readonly id: string },
): Promise<OrganizationRow | null> {
  const [row] = await db
    .select()
    .from(organizations)
    .where(
      'id' in organization
        ? eq(organizations.id, organization.id)
        : eq(organizations.hostname, organization.hostname),
    );
  return row ?? null;
}

/** The oldest organization with this id or title, or the oldest of all when `named` is null. */
export async function findOrganization(db: Db, named: string | null): Promise<OrganizationRow | null> {
  const [row] = await db
    .select()
    .from(organizations)
    .where(named === null ? undefined : or(eq(organizations.id, named), eq(organizations.title, named)))
    .orderBy(asc(organizations.createdAt), asc(organizations.id))
    .limit(1);
  return row ?? null;
}

/** Of the organizations with these ids: their number, and those after `after`, oldest first. */
export async function listOrganizations(
  db: Db,
  ids: readonly string[],
  options: { readonly after: AgeKey | null; readonly limit: number },
): Promise<{ readonly count: number; readonly rows: readonly OrganizationRow[] }> {
  const among = inArray(organizations.id, [...ids]);
  const [total] = await db.select({ count: count() }).from(organizations).where(among);
  const rows = await db
    .select()
    .from(organizations)
    .where(and(among, isYounger(organizations, options.after)))
    .orderBy(asc(organizations.createdAt), asc(organizations.id))
    .limit(options.limit);
  return { count: total?.count ?? 0, rows };
}

/** Changes the given fields of an organization. */
export async function updateOrganization(
  db: Db,
  id: string,
  changes: Partial<Omit<OrganizationRow, 'id' | 'createdAt'>>,
): Promise<OrganizationRow | null> {
  if (Object.keys(changes).length === 0) return await loadOrganization(db, id);
  const [row] = await db.update(organizations).set(changes).where(eq(organizations.id, id)).returning();
  return row ?? null;
}

/** Waits until no other transaction is about to claim this host name. */
export async function lockHostname(db: Db, hostname: string): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`hostname ${hostname}`}, 0))`);
}

/** Whether another organization has the host name. */
export async function isHostnameTaken(db: Db, hostname: string, exceptId: string): Promise<boolean> {
  const rows = await db
    .select({ id: organizations.id })
    .from(organizations)
    .where(and(eq(organizations.hostname, hostname), ne(organizations.id, exceptId)));
  return rows.length > 0;
}

/** The user with this address, created when absent; concurrent callers get the same user. */
export async function ensureUser(
  db: Db,
  user: { readonly id: string; readonly displayName: string; readonly email: string },
): Promise<UserRow> {
  const [row] = await db
    .insert(users)
    .values(user)
    .onConflictDoUpdate({ target: users.email, set: { email: user.email } })
    .returning();
  return row as UserRow;
}

/** A new user; null when there is one with this address. */
export async function insertNewUser(
  db: Db,
  user: {
    readonly id: string;
    readonly displayName: string;
    readonly email: string;
    readonly emailVerifiedAt: Date | null;
  },
): Promise<UserRow | null> {
  const [row] = await db.insert(users).values(user).onConflictDoNothing().returning();
  return row ?? null;
}

/** Makes a user a member; the role of an existing member stays. */
export async function ensureMember(
  db: Db,
  member: { readonly organizationId: string; readonly userId: string; readonly role: string | null },
): Promise<void> {
  await db.insert(members).values(member).onConflictDoNothing();
}

/** Makes a user an administrator, whatever they were in the organization before. */
export async function makeAdministrator(db: Db, organizationId: string, userId: string): Promise<void> {
  await db
    .insert(members)
    .values({ organizationId, userId, role: 'admin' })
    .onConflictDoUpdate({
      target: [members.organizationId, members.userId],
      set: { role: 'admin', disabledAt: null },
    });
}
