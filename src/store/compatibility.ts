import { readFileSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { schemaReleases } from './schema/server.ts';

/** A release, and the oldest release whose processes can still run on its schema. */
export interface SchemaRelease {
  readonly release: string;
  readonly compatibleFrom: string;
}

/**
 * The release of this program. `compatibleFrom` is raised only in a release with a migration that removes what older
 * processes use: see CONTRIBUTING.md, "The database".
 */
export const currentRelease: SchemaRelease = {
  release: JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version,
  compatibleFrom: '0.1.0',
};

/**
 * Decides whether a program may run on a schema with migrations that it does not know.
 *
 * @returns the newest release that updated the schema, or why the program cannot run, in one sentence.
 */
export async function checkCompatibility(
  db: Db,
  { release }: SchemaRelease,
): Promise<{ readonly newest: string } | { readonly refusal: string }> {
  const { newest, isIncompatible } = await loadNewerReleases(db, release);
  if (newest === undefined) {
    const refusal = `The database was updated by another build of Docloom ${release}, whose migrations this one does not know: start that build.`;
    return { refusal };
  }
  if (isIncompatible) {
    const refusal = `The database was updated by Docloom ${newest}, and ${release} cannot run on its schema: start ${newest} or newer, or restore a backup that was made before the update.`;
    return { refusal };
  }
  return { newest };
}

/** Why this process cannot work on the schema any more, since a newer release took away what it needs; null when it can. */
export async function findSchemaTrouble(db: Db): Promise<string | null> {
  const { release } = currentRelease;
  const { newest, isIncompatible } = await loadNewerReleases(db, release);
  if (!isIncompatible) return null;
  return `The database was updated by Docloom ${newest}, and ${release} cannot run on its schema: update this process.`;
}

/** The newest of the releases after this one that updated the schema, and whether one took away what this one needs. */
async function loadNewerReleases(
  db: Db,
  release: string,
): Promise<{ readonly newest: string | undefined; readonly isIncompatible: boolean }> {
  const rows = await db.select().from(schemaReleases);
  const newer = rows
    .filter((row) => compareReleases(row.release, release) > 0)
    .sort((a, b) => compareReleases(a.release, b.release));
  return {
    newest: newer.at(-1)?.release,
    isIncompatible: newer.some((row) => compareReleases(row.compatibleFrom, release) > 0),
  };
}

/** Records that a release updated the schema. */
export async function recordRelease(db: Db, { release, compatibleFrom }: SchemaRelease): Promise<void> {
  await db
    .insert(schemaReleases)
    .values({ release, compatibleFrom })
    .onConflictDoUpdate({
      target: schemaReleases.release,
      set: { compatibleFrom },
      setWhere: sql`${schemaReleases.compatibleFrom} <> excluded.compatible_from`,
    });
}

/** Negative when `a` is older than `b`: 0.9.0 is older than 0.10.0. */
function compareReleases(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
