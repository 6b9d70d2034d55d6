import { and, eq, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import type { PullKey } from './pull-change-requests.ts';
import { mirroredComments } from './schema/github.ts';

export type { MirrorKind } from './schema/github.ts';
export type MirroredCommentRow = typeof mirroredComments.$inferSelect;

/** A mirrored comment, by GitHub's id. */
export type RemoteKey = Pick<MirroredCommentRow, 'repositoryId' | 'kind' | 'remoteId'>;

function isRow({ repositoryId, kind, remoteId }: RemoteKey) {
  return and(
    eq(mirroredComments.repositoryId, repositoryId),
    eq(mirroredComments.kind, kind),
    eq(mirroredComments.remoteId, remoteId),
  );
}

/** What of a pull request is mirrored, in either direction. */
export async function listMirroredComments(
  db: Db,
  { repositoryId, pullNumber }: PullKey,
): Promise<readonly MirroredCommentRow[]> {
  return await db
    .select()
    .from(mirroredComments)
    .where(and(eq(mirroredComments.repositoryId, repositoryId), eq(mirroredComments.pullNumber, pullNumber)));
}

/** Whether something here is mirrored already, on whatever pull request. */
export async function isMirrored(db: Db, commentId: string, replyId: string): Promise<boolean> {
  const rows = await db
    .select({ one: sql`1` })
    .from(mirroredComments)
    .where(and(eq(mirroredComments.commentId, commentId), eq(mirroredComments.replyId, replyId)))
    .limit(1);
  return rows.length > 0;
}

/** Records that both are the same. */
export async function insertMirroredComment(
  db: Db,
  row: typeof mirroredComments.$inferInsert,
): Promise<MirroredCommentRow> {
  await db.insert(mirroredComments).values(row).onConflictDoNothing();
  const [stored] = await db.select().from(mirroredComments).where(isRow(row));
  if (stored === undefined)
    throw new Error('A comment is mirrored on two pull requests; the first one stays.');
  return stored;
}

export async function updateMirroredComment(
  db: Db,
  key: RemoteKey,
  changes: Partial<Pick<MirroredCommentRow, 'digest' | 'goneAt'>>,
): Promise<void> {
  await db.update(mirroredComments).set(changes).where(isRow(key));
}

export async function deleteMirroredComment(db: Db, key: RemoteKey): Promise<void> {
  await db.delete(mirroredComments).where(isRow(key));
}
