import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { repositoryTranslations } from './schema/sync.ts';

export type RepositoryTranslation = typeof repositoryTranslations.$inferSelect;

/** Identifies a translation of a repository. */
export type TranslationKey = Pick<RepositoryTranslation, 'repositoryId' | 'directory' | 'language'>;

/** The translations of these repositories, in order of repository, directory and language. */
export async function listRepositoryTranslations(
  db: Db,
  repositoryIds: readonly number[],
): Promise<readonly RepositoryTranslation[]> {
  if (repositoryIds.length === 0) return [];
  return await db
    .select()
    .from(repositoryTranslations)
    .where(inArray(repositoryTranslations.repositoryId, [...repositoryIds]))
    .orderBy(
      asc(repositoryTranslations.repositoryId),
      asc(repositoryTranslations.directory),
      asc(repositoryTranslations.language),
    );
}

/** What 0.1.0 wrote before the commit and path of an invalid glossary in `glossary_from`. */
const OLD_INVALID_PREFIX = 'wrong ';

/**
 * The row of a translation that a configuration names; inserted if there is none. A row that a process of 0.1.0 wrote
 * is converted, also while such processes still run.
 */
export async function claimRepositoryTranslation(
  db: Db,
  key: TranslationKey & Pick<RepositoryTranslation, 'organizationId'>,
): Promise<RepositoryTranslation> {
  const { organizationId } = key;
  const { glossaryFrom, invalidGlossaryFrom } = repositoryTranslations;
  const isOldInvalid = sql`starts_with(${glossaryFrom}, ${OLD_INVALID_PREFIX})`;
  const [row] = await db
    .insert(repositoryTranslations)
    .values(key)
    .onConflictDoUpdate({
      target: [
        repositoryTranslations.repositoryId,
        repositoryTranslations.directory,
        repositoryTranslations.language,
      ],
      set: {
        isNamed: true,
        organizationId,
        glossaryFrom: sql`case when ${isOldInvalid} then null else ${glossaryFrom} end`,
        invalidGlossaryFrom: sql`case when ${isOldInvalid} then substr(${glossaryFrom}, ${OLD_INVALID_PREFIX.length + 1}) else ${invalidGlossaryFrom} end`,
      },
    })
    .returning();
  return row as RepositoryTranslation;
}

/** Records that a repository's configuration no longer names a translation. */
export async function releaseRepositoryTranslation(db: Db, key: TranslationKey): Promise<void> {
  await saveRepositoryTranslation(db, key, { isNamed: false, error: null });
}

export async function saveRepositoryTranslation(
  db: Db,
  { repositoryId, directory, language }: TranslationKey,
  fields: Partial<Omit<RepositoryTranslation, keyof TranslationKey>>,
): Promise<void> {
  await db
    .update(repositoryTranslations)
    .set({ ...fields, updatedAt: sql`now()` })
    .where(
      and(
        eq(repositoryTranslations.repositoryId, repositoryId),
        eq(repositoryTranslations.directory, directory),
        eq(repositoryTranslations.language, language),
      ),
    );
}
