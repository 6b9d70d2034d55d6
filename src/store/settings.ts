import { and, asc, eq, getTableColumns, inArray } from 'drizzle-orm';
import type { Db } from './db.ts';
import { settings } from './schema/content.ts';
import { isInVersion, type Version } from './versions.ts';

/** A variable, a reusable part, a redirect or a language of one or more versions. */
export type SettingRow = Omit<typeof settings.$inferSelect, 'historyId' | 'since' | 'until'>;

const { historyId: _history, since: _since, until: _until, ...fields } = getTableColumns(settings);

/** All settings of a version; the import bounds their number. */
export async function loadSettings(db: Db, at: Version): Promise<readonly SettingRow[]> {
  return await db.select(fields).from(settings).where(isInVersion(settings, at)).orderBy(asc(settings.key));
}

/** The settings of a kind, by name. */
export async function loadSettingsOf(
  db: Db,
  at: Version,
  kind: 'variable' | 'reusable' | 'redirect',
): Promise<readonly SettingRow[]> {
  return await db
    .select(fields)
    .from(settings)
    .where(and(isInVersion(settings, at), eq(settings.kind, kind)))
    .orderBy(asc(settings.name));
}

/** The languages of a space that have folders of their own in its addresses, with the one that is the default. */
export async function loadFolderLanguages(db: Db, at: Version): Promise<readonly SettingRow[]> {
  return await db
    .select(fields)
    .from(settings)
    .where(and(isInVersion(settings, at), inArray(settings.kind, ['language', 'default-language'])))
    .orderBy(asc(settings.name));
}

/** The settings with these keys, in no order. */
export async function loadSettingsByKey(
  db: Db,
  at: Version,
  keys: readonly string[],
): Promise<readonly SettingRow[]> {
  return await db
    .select(fields)
    .from(settings)
    .where(and(isInVersion(settings, at), inArray(settings.key, [...keys])));
}
