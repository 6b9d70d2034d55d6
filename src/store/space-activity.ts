import { eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import type { GitOperationRow, ListedOperation } from './git-operations.ts';
import type { RevisionCounts } from './revisions.ts';
import { revisions } from './schema/content.ts';
import { gitOperations, spaces } from './schema/platform.ts';
import { anyText } from './text-rows.ts';

/** What happened in a space last. */
export interface SpaceActivity {
  /** The newest operation of its content. */
  readonly lastSync: ListedOperation | null;
  /** What readers see; null until there is something. */
  readonly live: LiveContent | null;
}

export interface LiveContent {
  readonly commitOid: string | null;
  readonly createdAt: Date;
  readonly counts: RevisionCounts;
  /** The commit with which recent operations brought it or took it to the repository, and when first; null when none did. */
  readonly synced: { readonly commitOid: string | null; readonly at: Date } | null;
}

type RecentOperation = Pick<
  GitOperationRow,
  'id' | 'spaceId' | 'state' | 'standalone' | 'revisionId' | 'commitOid' | 'endedAt'
>;

/**
 * What happened last in these spaces, as far as the newest `recent` operations of each say: a few queries, however many
 * spaces there are.
 */
export async function loadSpaceActivity(
  db: Db,
  spaceIds: readonly string[],
  recent: number,
): Promise<ReadonlyMap<string, SpaceActivity>> {
  if (spaceIds.length === 0) return new Map();
  const [operations, live] = await Promise.all([
    listRecentOperations(db, spaceIds, recent),
    loadLiveRevisions(db, spaceIds),
  ]);
  const bySpace = Map.groupBy(operations, ({ spaceId }) => spaceId);
  const syncIds = [...bySpace.values()].flatMap((newestFirst) => lastSyncOf(newestFirst)?.id ?? []);
  const syncs = new Map(
    (await loadOperations(db, syncIds)).map((listed) => [listed.operation.spaceId, listed]),
  );
  return new Map(
    spaceIds.map((id) => {
      const revision = live.get(id);
      return [
        id,
        {
          lastSync: syncs.get(id) ?? null,
          live:
            revision === undefined
              ? null
              : { ...revision, synced: syncedAs(bySpace.get(id) ?? [], revision.id) },
        },
      ];
    }),
  );
}

function lastSyncOf(newestFirst: readonly RecentOperation[]): RecentOperation | undefined {
  return newestFirst.find(({ standalone }) => !standalone);
}

/** The first of the operations with the commit of the newest counts: a later one that found the same changed nothing. */
function syncedAs(newestFirst: readonly RecentOperation[], revisionId: string): LiveContent['synced'] {
  const ofRevision = newestFirst.filter(
    (operation) =>
      operation.state === 'success' && operation.revisionId === revisionId && !operation.standalone,
  );
  const first = ofRevision.findLast(({ commitOid }) => commitOid === ofRevision[0]?.commitOid);
  return first?.endedAt ? { commitOid: first.commitOid, at: first.endedAt } : null;
}

/** The newest operations of each space, the newest first. */
async function listRecentOperations(
  db: Db,
  spaceIds: readonly string[],
  limit: number,
): Promise<readonly RecentOperation[]> {
  const newest = db
    .select({
      id: gitOperations.id,
      spaceId: gitOperations.spaceId,
      sequence: gitOperations.sequence,
      state: gitOperations.state,
      standalone: gitOperations.standalone,
      revisionId: gitOperations.revisionId,
      commitOid: gitOperations.commitOid,
      endedAt: gitOperations.endedAt,
    })
    .from(gitOperations)
    .where(eq(gitOperations.spaceId, spaces.id))
    .orderBy(sql`${gitOperations.sequence} desc`)
    .limit(limit)
    .as('newest');
  return await db
    .select({
      id: newest.id,
      spaceId: newest.spaceId,
      state: newest.state,
      standalone: newest.standalone,
      revisionId: newest.revisionId,
      commitOid: newest.commitOid,
      endedAt: newest.endedAt,
    })
    .from(spaces)
    .crossJoinLateral(newest)
    .where(isOneOf(sql`${spaces.id}`, spaceIds))
    .orderBy(sql`${newest.sequence} desc`);
}

async function loadOperations(db: Db, ids: readonly string[]): Promise<readonly ListedOperation[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select({ operation: gitOperations, counts: revisions.counts })
    .from(gitOperations)
    .leftJoin(revisions, eq(revisions.id, gitOperations.revisionId))
    .where(isOneOf(sql`${gitOperations.id}`, ids));
  return rows.map(({ operation, counts }) => ({
    operation,
    counts: counts as RevisionCounts | null,
    notices: null,
  }));
}

/** The revisions that readers see, by space; an empty one, with which a space begins, is left out. */
async function loadLiveRevisions(
  db: Db,
  spaceIds: readonly string[],
): Promise<ReadonlyMap<string, Omit<LiveContent, 'synced'> & { readonly id: string }>> {
  const rows = await db
    .select({
      spaceId: spaces.id,
      id: revisions.id,
      commitOid: revisions.commitOid,
      createdAt: revisions.createdAt,
      counts: revisions.counts,
    })
    .from(spaces)
    .innerJoin(revisions, eq(revisions.id, spaces.revisionId))
    .where(isOneOf(sql`${spaces.id}`, spaceIds));
  return new Map(
    rows.flatMap(({ spaceId, counts, ...row }) => {
      const {
        pages = 0,
        files = 0,
        links = 0,
        broken = 0,
        inApp = 0,
        unchecked = 0,
      } = counts as Partial<RevisionCounts>;
      if (row.commitOid === null && pages === 0 && files === 0) return [];
      return [[spaceId, { ...row, counts: { pages, files, links, broken, inApp, unchecked } }] as const];
    }),
  );
}

function isOneOf(column: SQL, ids: readonly string[]): SQL {
  return sql`${column} = ${anyText(ids)}`;
}
