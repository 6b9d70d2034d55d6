import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { repositoryConversations } from './schema/github.ts';

export type RepositoryConversationsRow = typeof repositoryConversations.$inferSelect;

/** Where the issues and discussions of repositories go: of all, or of one. */
export async function listRepositoryConversations(
  db: Db,
  repositoryId?: number,
): Promise<readonly RepositoryConversationsRow[]> {
  return await db
    .select()
    .from(repositoryConversations)
    .where(repositoryId === undefined ? undefined : eq(repositoryConversations.repositoryId, repositoryId))
    .orderBy(repositoryConversations.repositoryId, repositoryConversations.organizationId);
}

/** Records where they go from now on. Under another source they count as never listed. */
export async function saveRepositoryConversations(
  db: Db,
  row: Pick<RepositoryConversationsRow, 'repositoryId' | 'organizationId' | 'source'>,
): Promise<void> {
  await db
    .insert(repositoryConversations)
    .values(row)
    .onConflictDoUpdate({
      target: [repositoryConversations.repositoryId, repositoryConversations.organizationId],
      set: { source: row.source, listedAt: null },
      setWhere: sql`${repositoryConversations.source} <> excluded.source`,
    });
}

/** Records that they were listed, and why some could not be. */
export async function recordConversationsListed(
  db: Db,
  repositoryId: number,
  listed: Pick<RepositoryConversationsRow, 'configDigest' | 'listedAt' | 'error'>,
): Promise<void> {
  await db
    .update(repositoryConversations)
    .set(listed)
    .where(eq(repositoryConversations.repositoryId, repositoryId));
}

/** Records why one of them could not be read or stored. */
export async function recordConversationsError(db: Db, repositoryId: number, error: string): Promise<void> {
  await db
    .update(repositoryConversations)
    .set({ error })
    .where(eq(repositoryConversations.repositoryId, repositoryId));
}

export async function deleteRepositoryConversations(
  db: Db,
  { repositoryId, organizationId }: Pick<RepositoryConversationsRow, 'repositoryId' | 'organizationId'>,
): Promise<void> {
  await db
    .delete(repositoryConversations)
    .where(
      and(
        eq(repositoryConversations.repositoryId, repositoryId),
        eq(repositoryConversations.organizationId, organizationId),
      ),
    );
}

/** Why conversations of repositories are missing, by repository. */
export async function listConversationsErrors(db: Db): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .select({ id: repositoryConversations.repositoryId, error: repositoryConversations.error })
    .from(repositoryConversations)
    .where(isNotNull(repositoryConversations.error));
  return new Map(rows.map(({ id, error }) => [id, error ?? '']));
}
