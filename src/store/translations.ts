import { and, asc, count, eq, inArray, max, or, type SQL, sql } from 'drizzle-orm';
import { type AgeKey, isYounger } from './age-keys.ts';
import type { Db } from './db.ts';
import { insertRows } from './insert-rows.ts';
import { type StoredCorrection, translationMemory, translations } from './schema/translations.ts';
import { type SpaceSelection, selectedIds } from './space-selection.ts';
import { textRows } from './text-rows.ts';

export type TranslationRow = typeof translations.$inferSelect;
export type MemoryRow = typeof translationMemory.$inferSelect;
export type { StoredCorrection };

/** A term with its translation. */
export interface StoredGlossaryEntry {
  readonly term: string;
  readonly translation: string;
}

/** A text that remained in the language of the source, and why. */
export interface TranslationProblem {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

export async function insertTranslation(
  db: Db,
  row: typeof translations.$inferInsert,
): Promise<TranslationRow> {
  const [inserted] = await db.insert(translations).values(row).returning();
  return inserted as TranslationRow;
}

export async function loadTranslation(db: Db, id: string): Promise<TranslationRow | null> {
  const [row] = await db.select().from(translations).where(eq(translations.id, id));
  return row ?? null;
}

/** The number of translations of these spaces in an organization, and those after `after`, oldest first. */
export async function listTranslations(
  db: Db,
  organizationId: string,
  options: {
    /** Only those of these spaces; of all when null. */
    readonly selection: SpaceSelection | null;
    readonly after: AgeKey | null;
    readonly limit: number;
  },
): Promise<{ readonly count: number; readonly rows: readonly TranslationRow[] }> {
  const { selection, after, limit } = options;
  const matching = and(
    eq(translations.organizationId, organizationId),
    selection === null
      ? undefined
      : inArray(translations.sourceSpaceId, selectedIds(db, organizationId, selection)),
  );
  const [total] = await db.select({ count: count() }).from(translations).where(matching);
  const rows = await db
    .select()
    .from(translations)
    .where(and(matching, isYounger(translations, after)))
    .orderBy(asc(translations.createdAt), asc(translations.id))
    .limit(limit);
  return { count: total?.count ?? 0, rows };
}

/** The translations with a requested run that is not complete. */
export async function listOpenTranslations(db: Db): Promise<readonly string[]> {
  const rows = await db
    .select({ id: translations.id })
    .from(translations)
    .where(and(inArray(translations.status, ['pending', 'running']), sql`${translations.requested} > 0`));
  return rows.map((row) => row.id);
}

export async function updateTranslation(
  db: Db,
  id: string,
  changes: Partial<typeof translations.$inferInsert>,
): Promise<TranslationRow | null> {
  const [row] = await db
    .update(translations)
    .set({ ...changes, updatedAt: sql`now()` })
    .where(eq(translations.id, id))
    .returning();
  return row ?? null;
}

export async function deleteTranslation(db: Db, id: string): Promise<void> {
  await db.delete(translations).where(eq(translations.id, id));
}

/**
 * Requests a run; during a run, another run after it. Null when there is no such translation.
 *
 * @param options.forPerson whether a person requests it, rather than the server by itself
 */
export async function requestTranslationRun(
  db: Db,
  id: string,
  { forPerson }: { readonly forPerson: boolean },
): Promise<TranslationRow | null> {
  const [row] = await db
    .update(translations)
    .set({
      requested: sql`${translations.requested} + 1`,
      runForPerson: sql`${forPerson} or (${translations.status} in ('pending', 'running') and ${translations.runForPerson})`,
      status: sql`case when ${translations.status} = 'running' then 'running' else 'pending' end`,
      error: null,
      updatedAt: sql`now()`,
    })
    .where(eq(translations.id, id))
    .returning();
  return row ?? null;
}

/** Starts the requested run; a run in progress stays unchanged. Null when no run is requested or in progress. */
export async function beginTranslationRun(
  db: Db,
  id: string,
  sourceRevisionId: string,
): Promise<TranslationRow | null> {
  await db
    .update(translations)
    .set({
      status: 'running',
      run: sql`${translations.requested}`,
      sourceRevisionId,
      startedAt: sql`now()`,
      latestWords: 0,
      latestRequests: 0,
      latestPages: 0,
      wordsLeft: 0,
      unanswered: 0,
      error: null,
    })
    .where(and(eq(translations.id, id), eq(translations.status, 'pending')));
  const row = await loadTranslation(db, id);
  return row?.status === 'running' ? row : null;
}

/** Completes a run. Returns null when it is not in progress; `again` when another run was requested in the meantime. */
export async function completeTranslationRun(
  db: Db,
  { id, run }: Pick<TranslationRow, 'id' | 'run'>,
  changes: Partial<typeof translations.$inferInsert>,
): Promise<{ readonly again: boolean } | null> {
  const duration = sql`least((extract(epoch from now() - ${translations.startedAt}) * 1000)::bigint, 2000000000)::int`;
  const [row] = await db
    .update(translations)
    .set({
      ...changes,
      status: sql`case when ${translations.requested} > ${translations.run} then 'pending' else ${changes.status} end`,
      runs: sql`${translations.runs} + 1`,
      totalPages: sql`${translations.totalPages} + ${changes.latestPages ?? 0}`,
      latestRunDuration: duration,
      totalDuration: sql`${translations.totalDuration} + ${duration}`,
      updatedAt: sql`now()`,
    })
    .where(and(eq(translations.id, id), eq(translations.status, 'running'), eq(translations.run, run)))
    .returning();
  if (row === undefined) return null;
  await db.delete(translationMemory).where(ofOrigin(id, 'wanted'));
  return { again: row.status === 'pending' };
}

/** Whether an organization has a translation of this provider. */
export async function hasTranslationBy(
  db: Db,
  { organizationId, provider }: Pick<TranslationRow, 'organizationId' | 'provider'>,
): Promise<boolean> {
  const [row] = await db
    .select({ id: translations.id })
    .from(translations)
    .where(and(eq(translations.organizationId, organizationId), eq(translations.provider, provider)))
    .limit(1);
  return row !== undefined;
}

/**
 * The entries of the translation memory with these keys.
 *
 * @param beginnings further ones, by what stands before the dot in their keys
 */
export async function loadMemory(
  db: Db,
  translationId: string,
  keys: readonly string[],
  beginnings: readonly string[] = [],
): Promise<ReadonlyMap<string, MemoryRow>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .select()
    .from(translationMemory)
    .where(
      and(
        eq(translationMemory.translationId, translationId),
        or(
          sql`${translationMemory.key} in ${textRows(keys)}`,
          beginnings.length === 0
            ? undefined
            : sql`split_part(${translationMemory.key}, '.', 1) in ${textRows(beginnings)}`,
        ),
      ),
    );
  return new Map(rows.map((row) => [row.key, row]));
}

/** Records which entries of the translation memory the source's pages do not need any more: all but these. */
export async function markUnneeded(db: Db, translationId: string, needed: readonly string[]): Promise<void> {
  const isNeeded = sql`${translationMemory.key} in ${textRows(needed)}`;
  const { unneededSince } = translationMemory;
  await db
    .update(translationMemory)
    .set({ unneededSince: sql`case when ${unneededSince} is null then now() end` })
    .where(
      and(
        eq(translationMemory.translationId, translationId),
        sql`(${isNeeded}) = (${unneededSince} is not null)`,
      ),
    );
}

/** Inserts texts to be requested from the provider, including those that were refused in an earlier run. */
export async function insertWanted(
  db: Db,
  rows: readonly (typeof translationMemory.$inferInsert)[],
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  await db.execute(sql`
    delete from ${translationMemory} where translation_id = ${first.translationId} and origin = 'refused'
      and key in ${textRows(rows.map((row) => row.key))}
  `);
  await insertRows(db, translationMemory, rows, { skipExisting: true });
}

export async function listWanted(
  db: Db,
  translationId: string,
  batch: number,
): Promise<readonly MemoryRow[]> {
  return await db
    .select()
    .from(translationMemory)
    .where(and(ofOrigin(translationId, 'wanted'), eq(translationMemory.batch, batch)))
    .orderBy(asc(translationMemory.key));
}

/** The batches without an answer, in ascending order. */
export async function listWantedBatches(db: Db, translationId: string): Promise<readonly number[]> {
  const rows = await db
    .selectDistinct({ batch: translationMemory.batch })
    .from(translationMemory)
    .where(ofOrigin(translationId, 'wanted'));
  return rows.map((row) => row.batch).sort((a, b) => a - b);
}

/** Records the result for a requested text, unless a later run requests it by now. */
export async function resolveWanted(
  db: Db,
  { translationId, key, run }: Pick<MemoryRow, 'translationId' | 'key' | 'run'>,
  answer: Partial<Pick<MemoryRow, 'origin' | 'reason' | 'batch' | 'refusals'>>,
): Promise<void> {
  await db
    .update(translationMemory)
    .set({ ...answer, updatedAt: sql`now()` })
    .where(
      and(
        eq(translationMemory.translationId, translationId),
        eq(translationMemory.key, key),
        eq(translationMemory.run, run),
        eq(translationMemory.origin, 'wanted'),
      ),
    );
}

/** Saves a provider's translation, also when its run is complete by now, since it is paid for. What a person wrote stays. */
export async function saveMachineTranslation(db: Db, row: MemoryRow, text: string): Promise<void> {
  const answer = { origin: 'machine', text, reason: null, updatedAt: new Date() };
  await db
    .insert(translationMemory)
    .values({ ...row, ...answer })
    .onConflictDoUpdate({
      target: [translationMemory.translationId, translationMemory.key],
      set: answer,
      setWhere: inArray(translationMemory.origin, ['wanted', 'refused']),
    });
}

/** Deletes translations of a provider, so that the texts are sent again. */
export async function deleteMachineTranslations(
  db: Db,
  translationId: string,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  await db
    .delete(translationMemory)
    .where(and(ofOrigin(translationId, 'machine'), sql`${translationMemory.key} in ${textRows(keys)}`));
}

/** Saves translations that a person wrote; only another one by a person replaces them. */
export async function savePersonTranslations(
  db: Db,
  rows: readonly (Pick<MemoryRow, 'translationId' | 'key' | 'source' | 'run'> & {
    readonly text: string;
    readonly path: string;
    readonly correction: Omit<StoredCorrection, 'text'>;
  })[],
): Promise<void> {
  for (const row of rows) {
    const { text, path } = row;
    const correction = { ...row.correction, text };
    await db
      .insert(translationMemory)
      .values({ ...row, correction, origin: 'person' })
      .onConflictDoUpdate({
        target: [translationMemory.translationId, translationMemory.key],
        set: { text, path, correction, origin: 'person', updatedAt: sql`now()` },
      });
  }
}

/** What people wrote in these pages of the source, in the order in which they did. */
export async function listCorrections(
  db: Db,
  translationId: string,
  paths: readonly string[],
): Promise<readonly MemoryRow[]> {
  return await db
    .select()
    .from(translationMemory)
    .where(and(ofOrigin(translationId, 'person'), sql`${translationMemory.path} in ${textRows(paths)}`))
    .orderBy(asc(translationMemory.updatedAt), asc(translationMemory.key));
}

/** Deletes what people wrote under these keys. Returns how many there were. */
export async function deleteCorrections(
  db: Db,
  translationId: string,
  keys: readonly string[],
): Promise<number> {
  const deleted = await db
    .delete(translationMemory)
    .where(and(ofOrigin(translationId, 'person'), inArray(translationMemory.key, [...keys])))
    .returning({ key: translationMemory.key });
  return deleted.length;
}

/** Counts a request to the provider. */
export async function addTranslationRequest(db: Db, id: string): Promise<void> {
  await db
    .update(translations)
    .set({
      latestRequests: sql`${translations.latestRequests} + 1`,
      totalRequests: sql`${translations.totalRequests} + 1`,
    })
    .where(eq(translations.id, id));
}

/** Counts words that the provider translated. */
export async function addTranslatedWords(db: Db, id: string, words: number): Promise<void> {
  await db
    .update(translations)
    .set({
      latestWords: sql`${translations.latestWords} + ${words}`,
      totalWords: sql`${translations.totalWords} + ${words}`,
    })
    .where(eq(translations.id, id));
}

/** Counts a batch that the provider did not answer. Returns the counts of the run. */
export async function addUnansweredBatch(
  db: Db,
  id: string,
): Promise<Pick<TranslationRow, 'latestWords' | 'unanswered'>> {
  const [row] = await db
    .update(translations)
    .set({ unanswered: sql`${translations.unanswered} + 1` })
    .where(eq(translations.id, id))
    .returning({ latestWords: translations.latestWords, unanswered: translations.unanswered });
  return row ?? { latestWords: 0, unanswered: 0 };
}

/** A number that no batch of the run has. Call it in a transaction, so that no other process gets the same one. */
export async function nextBatchNumber(tx: Db, id: string): Promise<number> {
  await tx.select({ id: translations.id }).from(translations).where(eq(translations.id, id)).for('update');
  const [row] = await tx
    .select({ highest: max(translationMemory.batch) })
    .from(translationMemory)
    .where(ofOrigin(id, 'wanted'));
  return (row?.highest ?? 0) + 1;
}

/** The rows of a translation's memory that came about in one way. */
function ofOrigin(translationId: string, origin: MemoryRow['origin']): SQL | undefined {
  return and(eq(translationMemory.translationId, translationId), eq(translationMemory.origin, origin));
}
