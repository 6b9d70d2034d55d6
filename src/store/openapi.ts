import { and, asc, count, desc, eq, inArray, lt, max, notInArray, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import type { AgeKey } from './organizations.ts';
import { openapiOperations, openapiSpecs, openapiUploads, openapiVersions } from './schema/openapi.ts';

export type OpenApiSpecRow = typeof openapiSpecs.$inferSelect;
export type OpenApiOperationRow = typeof openapiOperations.$inferSelect;

/** A version without its content, which may be large. */
export type OpenApiVersionRow = Pick<
  typeof openapiVersions.$inferSelect,
  'id' | 'sequence' | 'specId' | 'title' | 'createdAt'
>;

/** One thing that is wrong with a description. */
export interface OpenApiError {
  readonly code: string;
  readonly message: string;
  readonly path?: string;
  readonly pointer?: string;
  readonly line?: number;
  readonly column?: number;
}

const versionColumns = {
  id: openapiVersions.id,
  sequence: openapiVersions.sequence,
  specId: openapiVersions.specId,
  title: openapiVersions.title,
  createdAt: openapiVersions.createdAt,
};

/** Of a specification, so many versions stay; the oldest go. */
export const RETAINED_VERSIONS = 200;

export async function findSpec(db: Db, organizationId: string, slug: string): Promise<OpenApiSpecRow | null> {
  const [row] = await db
    .select()
    .from(openapiSpecs)
    .where(and(eq(openapiSpecs.organizationId, organizationId), eq(openapiSpecs.slug, slug)));
  return row ?? null;
}

export async function loadSpec(db: Db, id: string): Promise<OpenApiSpecRow | null> {
  const [row] = await db.select().from(openapiSpecs).where(eq(openapiSpecs.id, id));
  return row ?? null;
}

/** How many specifications an organization has, and those after `after`, oldest first. */
export async function listSpecs(
  db: Db,
  organizationId: string,
  options: { readonly publicOnly: boolean; readonly after: AgeKey | null; readonly limit: number },
): Promise<{ readonly count: number; readonly rows: readonly OpenApiSpecRow[] }> {
  const matching = and(
    eq(openapiSpecs.organizationId, organizationId),
    options.publicOnly ? eq(openapiSpecs.visibility, 'public') : undefined,
  );
  const [total] = await db.select({ count: count() }).from(openapiSpecs).where(matching);
  const rows = await db
    .select()
    .from(openapiSpecs)
    .where(
      and(
        matching,
        options.after
          ? sql`(${openapiSpecs.createdAt}, ${openapiSpecs.id}) > (${options.after.createdAt.toISOString()}::timestamptz, ${options.after.id})`
          : undefined,
      ),
    )
    .orderBy(asc(openapiSpecs.createdAt), asc(openapiSpecs.id))
    .limit(options.limit);
  return { count: total?.count ?? 0, rows };
}

/** Where a specification comes from. */
export type SpecSource = Pick<OpenApiSpecRow, 'sourceUrl' | 'sealedSource'>;

/** Makes a specification; null when the organization has one of this slug. */
export async function insertSpec(
  db: Db,
  spec: Pick<OpenApiSpecRow, 'id' | 'organizationId' | 'slug'> & SpecSource,
): Promise<OpenApiSpecRow | null> {
  const [row] = await db.insert(openapiSpecs).values(spec).onConflictDoNothing().returning();
  return row ?? null;
}

/** Gives a specification its source anew, also the same one: it is due to be read. */
export async function renewSource(db: Db, id: string, source: SpecSource): Promise<OpenApiSpecRow | null> {
  const isSame = sql`${openapiSpecs.sourceUrl} is not distinct from ${source.sourceUrl}`;
  const [row] = await db
    .update(openapiSpecs)
    .set({
      ...source,
      generation: sql`${openapiSpecs.generation} + 1`,
      state: 'pending',
      // Another address has other answers.
      etag: sql`case when ${isSame} then ${openapiSpecs.etag} end`,
      lastModified: sql`case when ${isSame} then ${openapiSpecs.lastModified} end`,
      updatedAt: sql`now()`,
    })
    .where(eq(openapiSpecs.id, id))
    .returning();
  return row ?? null;
}

export async function setVisibility(db: Db, id: string, visibility: string): Promise<OpenApiSpecRow | null> {
  const [row] = await db
    .update(openapiSpecs)
    .set({ visibility, updatedAt: sql`now()` })
    .where(eq(openapiSpecs.id, id))
    .returning();
  return row ?? null;
}

export async function deleteSpec(db: Db, id: string): Promise<void> {
  await db.delete(openapiSpecs).where(eq(openapiSpecs.id, id));
}

/** Stores an upload until it is read, in place of one before that was not read yet. */
export async function saveUpload(
  db: Db,
  upload: { readonly specId: string; readonly generation: number; readonly content: Buffer },
): Promise<void> {
  const { generation, content } = upload;
  await db
    .insert(openapiUploads)
    .values(upload)
    .onConflictDoUpdate({ target: openapiUploads.specId, set: { generation, content } });
}

export async function loadUpload(db: Db, specId: string, generation: number): Promise<Buffer | null> {
  const [row] = await db
    .select({ content: openapiUploads.content })
    .from(openapiUploads)
    .where(and(eq(openapiUploads.specId, specId), eq(openapiUploads.generation, generation)));
  return row?.content ?? null;
}

/** Those that are due to be read, or whose reading did not end. */
export async function listUnreadSpecs(db: Db): Promise<readonly string[]> {
  const rows = await db
    .select({ id: openapiSpecs.id })
    .from(openapiSpecs)
    .where(inArray(openapiSpecs.state, ['pending', 'progress']));
  return rows.map((row) => row.id);
}

export async function beginReading(db: Db, id: string): Promise<OpenApiSpecRow | null> {
  const [row] = await db
    .update(openapiSpecs)
    .set({ state: 'progress' })
    .where(and(eq(openapiSpecs.id, id), inArray(openapiSpecs.state, ['pending', 'progress'])))
    .returning();
  return row ?? null;
}

/** A run: it completes only what it began. */
export type SpecRun = Pick<OpenApiSpecRow, 'id' | 'generation'>;

/** Completes a run. False, and nothing changed, when there is another source meanwhile. */
export async function completeReading(
  db: Db,
  run: SpecRun,
  result: Partial<
    Pick<
      OpenApiSpecRow,
      'digest' | 'lastVersionId' | 'lastErrorCode' | 'lastErrors' | 'etag' | 'lastModified'
    >
  >,
): Promise<boolean> {
  const rows = await db
    .update(openapiSpecs)
    .set({ lastErrorCode: null, lastErrors: [], ...result, state: 'complete', lastProcessedAt: sql`now()` })
    .where(and(eq(openapiSpecs.id, run.id), eq(openapiSpecs.generation, run.generation)))
    .returning({ id: openapiSpecs.id });
  if (rows.length === 0) return false;
  await db
    .delete(openapiUploads)
    .where(and(eq(openapiUploads.specId, run.id), eq(openapiUploads.generation, run.generation)));
  return true;
}

/** Writes a version with what pages show of it, in place of what they showed before. */
export async function insertVersion(
  db: Db,
  version: typeof openapiVersions.$inferInsert,
  operations: readonly Omit<typeof openapiOperations.$inferInsert, 'specId' | 'ordinal'>[],
): Promise<void> {
  const { specId } = version;
  await db.insert(openapiVersions).values(version);
  await db.delete(openapiOperations).where(eq(openapiOperations.specId, specId));
  for (let at = 0; at < operations.length; at += 200) {
    const some = operations.slice(at, at + 200);
    await db
      .insert(openapiOperations)
      .values(some.map((one, index) => ({ ...one, specId, ordinal: at + index })));
  }
  const kept = db
    .select({ id: openapiVersions.id })
    .from(openapiVersions)
    .where(eq(openapiVersions.specId, specId))
    .orderBy(desc(openapiVersions.sequence))
    .limit(RETAINED_VERSIONS);
  await db
    .delete(openapiVersions)
    .where(and(eq(openapiVersions.specId, specId), notInArray(openapiVersions.id, kept)));
}

/** The versions of a specification, newest first. */
export async function listVersions(
  db: Db,
  specId: string,
  options: { readonly before: number | null; readonly limit: number },
): Promise<{ readonly count: number; readonly rows: readonly OpenApiVersionRow[] }> {
  const matching = eq(openapiVersions.specId, specId);
  const [total] = await db.select({ count: count() }).from(openapiVersions).where(matching);
  const rows = await db
    .select(versionColumns)
    .from(openapiVersions)
    .where(and(matching, options.before === null ? undefined : lt(openapiVersions.sequence, options.before)))
    .orderBy(desc(openapiVersions.sequence))
    .limit(options.limit);
  return { count: total?.count ?? 0, rows };
}

export async function loadVersion(db: Db, specId: string, id: string): Promise<OpenApiVersionRow | null> {
  const [row] = await db
    .select(versionColumns)
    .from(openapiVersions)
    .where(and(eq(openapiVersions.specId, specId), eq(openapiVersions.id, id)));
  return row ?? null;
}

/** The files of a version, and the one document that they make; both compressed JSON. */
export async function loadVersionContent(
  db: Db,
  id: string,
): Promise<{ readonly content: Buffer; readonly document: Buffer | null } | null> {
  const [row] = await db
    .select({ content: openapiVersions.content, document: openapiVersions.document })
    .from(openapiVersions)
    .where(eq(openapiVersions.id, id));
  return row ?? null;
}

export async function loadVersionChanges(db: Db, id: string): Promise<unknown> {
  const [row] = await db
    .select({ changes: openapiVersions.changes })
    .from(openapiVersions)
    .where(eq(openapiVersions.id, id));
  return row?.changes ?? null;
}

/** What a list of operations tells. */
export type OpenApiOperationName = Pick<OpenApiOperationRow, 'method' | 'path' | 'tag' | 'title'>;

/** The operations of the latest version, in its order. */
export async function listOperationNames(
  db: Db,
  specId: string,
  limit: number,
): Promise<readonly OpenApiOperationName[]> {
  return await db
    .select({
      method: openapiOperations.method,
      path: openapiOperations.path,
      tag: openapiOperations.tag,
      title: openapiOperations.title,
    })
    .from(openapiOperations)
    .where(eq(openapiOperations.specId, specId))
    .orderBy(asc(openapiOperations.ordinal))
    .limit(limit);
}

/** What readers see of the operations at these paths; compressed JSON. */
export async function loadOperationViews(
  db: Db,
  specId: string,
  paths: readonly string[],
): Promise<readonly Pick<OpenApiOperationRow, 'method' | 'path' | 'view'>[]> {
  if (paths.length === 0) return [];
  return await db
    .select({ method: openapiOperations.method, path: openapiOperations.path, view: openapiOperations.view })
    .from(openapiOperations)
    .where(and(eq(openapiOperations.specId, specId), inArray(openapiOperations.path, [...paths])));
}

/** Specifications of an organization by their slugs or by the addresses that they come from. */
export async function findSpecsNamed(
  db: Db,
  organizationId: string,
  names: readonly string[],
): Promise<readonly OpenApiSpecRow[]> {
  if (names.length === 0) return [];
  const given = sql`(select json_array_elements_text(${JSON.stringify(names)}::json))`;
  return await db
    .select()
    .from(openapiSpecs)
    .where(
      and(
        eq(openapiSpecs.organizationId, organizationId),
        sql`(${openapiSpecs.slug} in ${given} or ${openapiSpecs.sourceUrl} in ${given})`,
      ),
    )
    .orderBy(asc(openapiSpecs.createdAt), asc(openapiSpecs.id));
}

/** Changes with every new version of any specification of the organization. */
export async function loadSpecsVersion(db: Db, organizationId: string): Promise<string> {
  const [row] = await db
    .select({ count: count(), last: max(openapiSpecs.lastProcessedAt) })
    .from(openapiSpecs)
    .where(eq(openapiSpecs.organizationId, organizationId));
  return row === undefined || row.count === 0 ? '' : `${row.count} ${row.last?.getTime() ?? 0}`;
}
