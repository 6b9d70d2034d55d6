import { and, asc, count, eq, exists, gt, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Db } from './db.ts';
import { emailDomains, provisioned } from './schema/people.ts';
import { identityProviders, members } from './schema/platform.ts';

export type EmailDomainRow = typeof emailDomains.$inferSelect;

/** The number of domains that an organization claims, and those after `after`, by name. */
export async function listEmailDomains(
  db: Db,
  organizationId: string,
  options: { readonly after: string | null; readonly limit: number },
): Promise<{ readonly count: number; readonly rows: readonly EmailDomainRow[] }> {
  const own = eq(emailDomains.organizationId, organizationId);
  const [total] = await db.select({ count: count() }).from(emailDomains).where(own);
  const rows = await db
    .select()
    .from(emailDomains)
    .where(and(own, options.after === null ? undefined : gt(emailDomains.domain, options.after)))
    .orderBy(asc(emailDomains.domain))
    .limit(options.limit);
  return { count: total?.count ?? 0, rows };
}

/** The claim of a domain, made when absent; one that was made before keeps its challenge. */
export async function claimEmailDomain(
  db: Db,
  claim: { readonly organizationId: string; readonly domain: string; readonly challenge: string },
): Promise<EmailDomainRow> {
  const [row] = await db
    .insert(emailDomains)
    .values(claim)
    .onConflictDoUpdate({
      target: [emailDomains.organizationId, emailDomains.domain],
      set: { domain: claim.domain },
    })
    .returning();
  return row as EmailDomainRow;
}

export async function loadEmailDomain(
  db: Db,
  organizationId: string,
  domain: string,
): Promise<EmailDomainRow | null> {
  const [row] = await db.select().from(emailDomains).where(named(organizationId, domain));
  return row ?? null;
}

export async function setEmailDomainProved(
  db: Db,
  organizationId: string,
  domain: string,
): Promise<EmailDomainRow | null> {
  const [row] = await db
    .update(emailDomains)
    .set({
      provedAt: sql`coalesce(${emailDomains.provedAt}, now())`,
      checkedAt: sql`now()`,
      missingSince: null,
    })
    .where(named(organizationId, domain))
    .returning();
  return row ?? null;
}

/** A proved domain that was not looked for since `before`, which counts as looked for now; null when there is none. */
export async function claimDueDomain(
  db: Db,
  { now, before }: { readonly now: Date; readonly before: Date },
): Promise<EmailDomainRow | null> {
  const due = db
    .select({ organizationId: emailDomains.organizationId, domain: emailDomains.domain })
    .from(emailDomains)
    .where(
      and(
        isNotNull(emailDomains.provedAt),
        or(isNull(emailDomains.checkedAt), lte(emailDomains.checkedAt, before)),
      ),
    )
    .orderBy(sql`${emailDomains.checkedAt} nulls first`)
    .limit(1)
    .for('update', { skipLocked: true });
  const [row] = await db
    .update(emailDomains)
    .set({ checkedAt: now })
    .where(sql`(${emailDomains.organizationId}, ${emailDomains.domain}) in (${due})`)
    .returning();
  return row ?? null;
}

/** Records since when the record of a domain is missing, and whether the domain still counts as proved. */
export async function setEmailDomainMissing(
  db: Db,
  { organizationId, domain }: Pick<EmailDomainRow, 'organizationId' | 'domain'>,
  { missingSince, isProved }: { readonly missingSince: Date | null; readonly isProved: boolean },
): Promise<void> {
  await db
    .update(emailDomains)
    .set({ missingSince, ...(isProved ? {} : { provedAt: null }) })
    .where(named(organizationId, domain));
}

/** Withdraws a claim; false when there was none. */
export async function deleteEmailDomain(db: Db, organizationId: string, domain: string): Promise<boolean> {
  const rows = await db.delete(emailDomains).where(named(organizationId, domain)).returning();
  return rows.length > 0;
}

export async function hasProvedDomain(db: Db, organizationId: string, domain: string): Promise<boolean> {
  const rows = await db
    .select({ domain: emailDomains.domain })
    .from(emailDomains)
    .where(and(named(organizationId, domain), isNotNull(emailDomains.provedAt)));
  return rows.length > 0;
}

/** An organization that has proved the domain, the first one to do so; null when none has. */
export async function findProvingOrganization(db: Db, domain: string): Promise<string | null> {
  const [row] = await db
    .select({ organizationId: emailDomains.organizationId })
    .from(emailDomains)
    .where(and(eq(emailDomains.domain, domain), isNotNull(emailDomains.provedAt)))
    .orderBy(asc(emailDomains.provedAt))
    .limit(1);
  return row?.organizationId ?? null;
}

/**
 * Whether an organization that proved the domain lets an identity provider sign people in or keep them up to date; with
 * `memberId`, an organization of this user.
 */
export async function isManagedDomain(
  db: Db,
  domain: string,
  memberId: string | null = null,
): Promise<boolean> {
  const isOf = (organizationId: PgColumn) => eq(organizationId, emailDomains.organizationId);
  const managed = db
    .select({ domain: emailDomains.domain })
    .from(emailDomains)
    .where(
      and(
        eq(emailDomains.domain, domain),
        isNotNull(emailDomains.provedAt),
        or(
          exists(db.select().from(identityProviders).where(isOf(identityProviders.organizationId))),
          exists(db.select().from(provisioned).where(isOf(provisioned.organizationId))),
        ),
        memberId === null
          ? undefined
          : exists(
              db
                .select()
                .from(members)
                .where(and(isOf(members.organizationId), eq(members.userId, memberId))),
            ),
      ),
    )
    .limit(1);
  return (await managed).length > 0;
}

function named(organizationId: string, domain: string) {
  return and(eq(emailDomains.organizationId, organizationId), eq(emailDomains.domain, domain));
}
