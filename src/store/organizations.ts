import { and, asc, count, eq, inArray, or, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { members, organizations, users } from './schema/platform.ts';

export type OrganizationRow = typeof organizations.$inferSelect;
export type UserRow = typeof users.$inferSelect;

/** Where a list that is ordered by age goes on. */
export interface AgeKey {
  readonly createdAt: Date;
  readonly id: string;
}

/** Makes an organization with its first administrator. */
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

/** Of the organizations with these ids: how many there are, and those after `after`, oldest first. */
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
    .where(
      and(
        among,
        options.after
          ? sql`(${organizations.createdAt}, ${organizations.id}) > (${options.after.createdAt.toISOString()}::timestamptz, ${options.after.id})`
          : undefined,
      ),
    )
    .orderBy(asc(organizations.createdAt), asc(organizations.id))
    .limit(options.limit);
  return { count: total?.count ?? 0, rows };
}

/** The user with this address, made when absent; two callers at once get the same one. */
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

/** Makes someone a member; who is one already keeps their role. */
export async function ensureMember(
  db: Db,
  member: { readonly organizationId: string; readonly userId: string; readonly role: string },
): Promise<void> {
  await db.insert(members).values(member).onConflictDoNothing();
}
