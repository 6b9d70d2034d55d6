import { and, eq, inArray, notInArray, or, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { openapiSources } from './schema/sync.ts';

export type OpenApiSource = typeof openapiSources.$inferSelect;

export async function loadOpenApiSource(db: Db, name: string): Promise<OpenApiSource | null> {
  const [row] = await db.select().from(openapiSources).where(eq(openapiSources.name, name));
  return row ?? null;
}

/** The sources that the configurations of these repositories name. */
export async function listOpenApiSources(
  db: Db,
  repositoryIds: readonly number[],
): Promise<readonly OpenApiSource[]> {
  if (repositoryIds.length === 0) return [];
  return await db
    .select()
    .from(openapiSources)
    .where(and(inArray(openapiSources.repositoryId, [...repositoryIds]), eq(openapiSources.isNamed, true)));
}

/** Claims a name for a repository; null while another repository's configuration has it. */
export async function claimOpenApiSource(
  db: Db,
  name: string,
  repositoryId: number,
): Promise<OpenApiSource | null> {
  const isFree = or(eq(openapiSources.repositoryId, repositoryId), eq(openapiSources.isNamed, false));
  const [row] = await db
    .insert(openapiSources)
    .values({ name, repositoryId })
    .onConflictDoUpdate({
      target: openapiSources.name,
      set: { repositoryId, isNamed: true },
      ...(isFree && { setWhere: isFree }),
    })
    .returning();
  return row ?? null;
}

/** Releases the names that a repository's configuration no longer has; what is live stays live. */
export async function releaseOpenApiSources(
  db: Db,
  repositoryId: number,
  names: readonly string[],
): Promise<void> {
  await db
    .update(openapiSources)
    .set({ isNamed: false, updatedAt: sql`now()` })
    .where(
      and(
        eq(openapiSources.repositoryId, repositoryId),
        eq(openapiSources.isNamed, true),
        names.length === 0 ? undefined : notInArray(openapiSources.name, [...names]),
      ),
    );
}

export async function saveOpenApiSource(
  db: Db,
  name: string,
  fields: Partial<Omit<OpenApiSource, 'name' | 'repositoryId'>>,
): Promise<void> {
  await db
    .update(openapiSources)
    .set({ ...fields, updatedAt: sql`now()` })
    .where(eq(openapiSources.name, name));
}
