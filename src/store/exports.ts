import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Binding } from './bindings.ts';
import type { Db } from './db.ts';
import { type KnownRepository, loadRepository } from './repositories.ts';
import { bindings, repositories } from './schema/github.ts';
import { type ExportOutcome, exports } from './schema/sync.ts';

export type ExportRow = typeof exports.$inferSelect;

/** A binding that exports changes to its repository, with its space. */
export type ExportingBinding = Binding & { readonly spaceId: string };

/** The connected bindings that export, with the results of their last exports. */
export async function listExporting(
  db: Db,
): Promise<readonly { readonly binding: ExportingBinding; readonly last: ExportRow | null }[]> {
  const rows = await db
    .select({ binding: bindings, last: exports })
    .from(bindings)
    .innerJoin(repositories, eq(repositories.id, bindings.repositoryId))
    .leftJoin(exports, eq(exports.bindingId, bindings.id))
    .where(
      and(
        inArray(bindings.direction, ['export', 'both']),
        isNotNull(bindings.spaceId),
        isNull(bindings.disconnected),
        isNull(repositories.disconnected),
      ),
    )
    .orderBy(bindings.id);
  return rows as readonly { binding: ExportingBinding; last: ExportRow | null }[];
}

/** A binding that exports, with its repository and the result of its last export; null when it no longer exports. */
export async function loadExporting(
  db: Db,
  bindingId: string,
): Promise<{
  readonly binding: ExportingBinding;
  readonly repository: KnownRepository;
  readonly last: ExportRow | null;
} | null> {
  const [row] = await db
    .select({ binding: bindings, last: exports })
    .from(bindings)
    .leftJoin(exports, eq(exports.bindingId, bindings.id))
    .where(eq(bindings.id, bindingId));
  if (!row || row.binding.direction === 'import' || row.binding.disconnected !== null) return null;
  const { spaceId } = row.binding;
  const repository = await loadRepository(db, row.binding.repositoryId);
  if (spaceId === null || repository === null || repository.disconnected !== null) return null;
  return { binding: { ...row.binding, spaceId }, repository, last: row.last };
}

/** Stores the result of an export, in place of the previous one. */
export async function saveExport(db: Db, row: Omit<ExportRow, 'updatedAt'>): Promise<void> {
  const { bindingId, ...rest } = row;
  await db
    .insert(exports)
    .values(row)
    .onConflictDoUpdate({ target: exports.bindingId, set: { ...rest, updatedAt: sql`now()` } });
}

/** The results of the last exports of these bindings, by binding; those that never exported are omitted. */
export async function loadExports(
  db: Db,
  bindingIds: readonly string[],
): Promise<ReadonlyMap<string, ExportRow>> {
  if (bindingIds.length === 0) return new Map();
  const rows = await db
    .select()
    .from(exports)
    .where(inArray(exports.bindingId, [...bindingIds]));
  return new Map(rows.map((row) => [row.bindingId, row]));
}

/** How many bindings have each result of their last export. */
export async function countExports(db: Db): Promise<ReadonlyMap<ExportOutcome, number>> {
  const rows = await db
    .select({ outcome: exports.outcome, count: sql<number>`count(*)::int` })
    .from(exports)
    .groupBy(exports.outcome);
  return new Map(rows.map(({ outcome, count }) => [outcome, count]));
}
