import { and, asc, count, desc, eq, inArray, lt, max, notInArray, sql } from 'drizzle-orm';
import { type AgeKey, isYounger } from './age-keys.ts';
import type { Database, Db } from './db.ts';
import { openapiOperations, openapiSpecs, openapiUploads, openapiVersions } from './schema/openapi.ts';
import { textRows } from './text-rows.ts';

export type OpenApiSpecRow = typeof openapiSpecs.$inferSelect;
export type OpenApiOperationRow = typeof openapiOperations.$inferSelect;

/** A version without its content, which may be large. */
export type OpenApiVersionRow = Pick<
  typeof openapiVersions.$inferSelect,
  'id' | 'sequence' | 'specId' | 'title' | 'createdAt'
>;

/** An error in a description. */
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

/** How many versions of a specification are retained; older ones are deleted. */
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

/** The number of specifications of an organization, and those after `after`, oldest first. */
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
    .where(and(matching, isYounger(openapiSpecs, options.after)))
    .orderBy(asc(openapiSpecs.createdAt), asc(openapiSpecs.id))
    .limit(options.limit);
  return { count: total?.count ?? 0, rows };
}

/** The address of a specification; see `openapiSpecs`. */
export type SpecSource = Pick<OpenApiSpecRow, 'sourceUrl' | 'sealedSource'>;

/** Inserts a specification; null when the organization has one with this slug. */
export async function insertSpec(
  db: Db,
  spec: Pick<OpenApiSpecRow, 'id' | 'organizationId' | 'slug'> & SpecSource,
): Promise<OpenApiSpecRow | null> {
  const [row] = await db.insert(openapiSpecs).values(spec).onConflictDoNothing().returning();
  return row ?? null;
}

/** Sets the source of a specification, which may be the same, and makes it due to be read. */
export async function renewSource(db: Db, id: string, source: SpecSource): Promise<OpenApiSpecRow | null> {
  const isSame = sql`${openapiSpecs.sourceUrl} is not distinct from ${source.sourceUrl}`;
  const [row] = await db
    .update(openapiSpecs)
    .set({
      ...source,
      generation: sql`${openapiSpecs.generation} + 1`,
      state: 'pending',
      // They belong to the responses of the previous address.
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

/** Stores an upload until it is read, in place of an earlier one that was not read yet. */
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

/** The specifications that are due to be read, or whose reading is not complete. */
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

/** A run, which reads one generation of the source. */
export type SpecRun = Pick<OpenApiSpecRow, 'id' | 'generation'>;

/** Completes a run. Returns false, and changes nothing, when the source was changed in the meantime. */
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

export type NewOperation = Omit<typeof openapiOperations.$inferInsert, 'specId' | 'ordinal'>;

/** Inserts a version, and replaces the operations that pages show by those of this version. */
export async function insertVersion(
  db: Db,
  version: typeof openapiVersions.$inferInsert,
  operations: readonly NewOperation[],
): Promise<void> {
  const { specId } = version;
  await db.insert(openapiVersions).values(version);
  await insertOperations(db, specId, operations);
  const retained = db
    .select({ id: openapiVersions.id })
    .from(openapiVersions)
    .where(eq(openapiVersions.specId, specId))
    .orderBy(desc(openapiVersions.sequence))
    .limit(RETAINED_VERSIONS);
  await db
    .delete(openapiVersions)
    .where(and(eq(openapiVersions.specId, specId), notInArray(openapiVersions.id, retained)));
}

/** The specifications with operations that were described before this version of the engine. */
export async function listOutdatedSpecs(db: Db, viewVersion: number): Promise<readonly string[]> {
  const rows = await db
    .selectDistinct({ id: openapiOperations.specId })
    .from(openapiOperations)
    .where(lt(openapiOperations.viewVersion, viewVersion));
  return rows.map((row) => row.id);
}

/** Whether a specification is one of {@link listOutdatedSpecs}. */
export async function hasOutdatedOperations(db: Db, specId: string, viewVersion: number): Promise<boolean> {
  const rows = await db
    .select({ specId: openapiOperations.specId })
    .from(openapiOperations)
    .where(and(eq(openapiOperations.specId, specId), lt(openapiOperations.viewVersion, viewVersion)))
    .limit(1);
  return rows.length > 0;
}

/** Replaces the operations of a version, described anew, unless the specification has another one by now. */
export async function renewOperations(
  db: Database,
  { specId, versionId }: { readonly specId: string; readonly versionId: string },
  operations: readonly NewOperation[],
): Promise<void> {
  await db.transaction(async (tx) => {
    // With it, pages that show the operations are made again.
    const rows = await tx
      .update(openapiSpecs)
      .set({ lastProcessedAt: sql`now()` })
      .where(and(eq(openapiSpecs.id, specId), eq(openapiSpecs.lastVersionId, versionId)))
      .returning({ id: openapiSpecs.id });
    if (rows.length > 0) await insertOperations(tx, specId, operations);
  });
}

async function insertOperations(db: Db, specId: string, operations: readonly NewOperation[]): Promise<void> {
  await db.delete(openapiOperations).where(eq(openapiOperations.specId, specId));
  for (let start = 0; start < operations.length; start += 200) {
    const batch = operations.slice(start, start + 200);
    await db
      .insert(openapiOperations)
      .values(batch.map((operation, index) => ({ ...operation, specId, ordinal: start + index })));
  }
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

/** The files of a version, and the document that bundles them (null where there is one file); both compressed JSON. */
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

/** An operation as lists show it. */
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

/** The operations at these paths as readers see them; `view` is compressed JSON. */
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

/** The specifications of an organization with these slugs or source addresses, oldest first. */
export async function findSpecsNamed(
  db: Db,
  organizationId: string,
  names: readonly string[],
): Promise<readonly OpenApiSpecRow[]> {
  if (names.length === 0) return [];
  const named = textRows(names);
  return await db
    .select()
    .from(openapiSpecs)
    .where(
      and(
        eq(openapiSpecs.organizationId, organizationId),
        sql`(${openapiSpecs.slug} in ${named} or ${openapiSpecs.sourceUrl} in ${named})`,
      ),
    )
    .orderBy(asc(openapiSpecs.createdAt), asc(openapiSpecs.id));
}

/** A text that changes with every new version of any specification of the organization, and with who may read one. */
export async function loadSpecsVersion(db: Db, organizationId: string): Promise<SpecsVersion> {
  const [row] = await db
    .select({
      count: count(),
      last: max(openapiSpecs.lastProcessedAt),
      open: sql<
        string | null
      >`md5(string_agg(${openapiSpecs.id}, ' ' order by ${openapiSpecs.id}) filter (where ${openapiSpecs.visibility} = 'public'))`,
      fields: sql<string | null>`md5(string_agg(${shownFields}, ' ' order by ${openapiSpecs.id}))`,
    })
    .from(openapiSpecs)
    .where(eq(openapiSpecs.organizationId, organizationId));
  if (row === undefined || row.count === 0) return { content: '', fields: '' };
  return { content: `${row.count} ${row.last?.getTime() ?? 0} ${row.open ?? ''}`, fields: row.fields ?? '' };
}

export interface SpecsVersion {
  /** Changes with what is computed from the specifications; empty without any. */
  readonly content: string;
  /** Changes with what is shown of the specifications themselves. */
  readonly fields: string;
}

const shownFields = sql`md5(jsonb_build_array(${openapiSpecs.id}, ${openapiSpecs.slug}, ${openapiSpecs.sourceUrl},
  ${openapiSpecs.sealedSource}, ${openapiSpecs.state}, ${openapiSpecs.visibility}, ${openapiSpecs.lastVersionId},
  ${openapiSpecs.lastProcessedAt}, ${openapiSpecs.lastErrorCode}, ${openapiSpecs.lastErrors},
  ${openapiSpecs.updatedAt})::text)`;
