import { isDeepStrictEqual } from 'node:util';
import { type InputOf, operations, PlatformError, type Space, type Translation } from '../../client/index.ts';
import { type Language, languageOf, type TranslationConfig } from '../../config/index.ts';
import { entriesFor } from '../../content/glossary/index.ts';
import { type RepositoryTranslation, saveRepositoryTranslation } from '../../store/index.ts';
import type { SyncDeps } from '../deps.ts';
import type { ReadGlossary } from './read-glossary.ts';

/** A failed run is started again after this time, and at once when the space or the configuration changed. */
const RETRY_AFTER_MS = 60 * 60_000;

export type TranslatedSpace = Pick<Space, 'id' | 'organization' | 'revision'>;

export interface TranslationSync {
  readonly row: RepositoryTranslation;
  readonly entry: TranslationConfig;
  readonly language: Language;
  /** Whether the entry's schedule is due. */
  readonly isScheduled: boolean;
  /** The commit that is live in the space; null while there is none. */
  readonly commitOid: string | null;
  readonly readGlossary: (path: string, commitOid: string) => Promise<ReadGlossary>;
}

type Deps = Pick<SyncDeps, 'db' | 'client' | 'now'>;
type Settings = InputOf<typeof operations.updateTranslation>['body'];

/** Creates a translation, applies the settings of the configuration, and runs it where it is behind its space. */
export async function syncTranslation(
  deps: Deps,
  space: TranslatedSpace,
  sync: TranslationSync,
): Promise<void> {
  const { db, client } = deps;
  const { row } = sync;
  const read = await readSettings(sync);
  if ('problem' in read) {
    const { problem, invalidGlossaryFrom } = read;
    await saveRepositoryTranslation(db, row, { error: problem, glossaryFrom: null, invalidGlossaryFrom });
    return;
  }
  const { settings, ...saved } = read;
  const known = await findTranslation(deps, space, sync);
  const params = { organizationId: space.organization };
  const found =
    known ??
    (await client.call(operations.createTranslation, {
      params,
      body: { source: sourceOf(space, sync.entry), language: sync.language, ...settings },
    }));
  const isChanged = known === null || differs(known, settings);
  // A run that is due stays due, whatever happens before it is requested.
  const revisionId = isChanged || row.translationId !== found.id ? null : row.revisionId;
  await saveRepositoryTranslation(db, row, {
    ...saved,
    invalidGlossaryFrom: null,
    translationId: found.id,
    revisionId,
    error: null,
  });
  const where = { ...params, translationId: found.id };
  if (known !== null && isChanged)
    await client.call(operations.updateTranslation, { params: where, body: settings });
  if (space.revision === undefined || !isDue(deps, space, sync, { found, revisionId })) return;
  await client.call(operations.runTranslation, { params: where });
  await saveRepositoryTranslation(db, row, { revisionId: space.revision });
}

function isDue(
  { now }: Pick<Deps, 'now'>,
  { revision }: TranslatedSpace,
  { entry, isScheduled }: TranslationSync,
  { found, revisionId }: { readonly found: Translation; readonly revisionId: string | null },
): boolean {
  const { status, stats, result, updatedAt } = found;
  const isUnderWay = status === 'running' || (status === 'pending' && stats.runs > 0);
  if (isUnderWay && revisionId !== null) return false;
  const isBehind = revisionId === null || result?.sourceRevision !== revision;
  const isNew = stats.runs === 0 && !isUnderWay;
  const hasFailed = status === 'failed';
  const waitsForSchedule = entry.schedule !== undefined && !isScheduled && !isNew && !hasFailed;
  const isNewRun = entry.schedule === undefined ? revisionId !== revision : isScheduled;
  const waitsForRetry = hasFailed && !isNewRun && now().getTime() - Date.parse(updatedAt) < RETRY_AFTER_MS;
  return isBehind && !waitsForSchedule && !waitsForRetry;
}

/** The existing translation, also one that a person created; null when there is none. */
async function findTranslation(
  { client }: Deps,
  space: TranslatedSpace,
  { row, entry, language }: TranslationSync,
): Promise<Translation | null> {
  const params = { organizationId: space.organization };
  const source = sourceOf(space, entry);
  const matches = (candidate: Translation) =>
    candidate.language === language &&
    candidate.source.space === source.space &&
    // When it is not set, the provider detects it.
    (candidate.source.language ?? source.language) === source.language;
  if (row.translationId !== null) {
    try {
      const translation = await client.call(operations.getTranslation, {
        params: { ...params, translationId: row.translationId },
      });
      if (matches(translation)) return translation;
    } catch (error) {
      if (!(error instanceof PlatformError) || error.status !== 404) throw error;
    }
  }
  for await (const translation of client.paginate(operations.listTranslations, { params, query: {} })) {
    if (matches(translation)) return translation;
  }
  return null;
}

function sourceOf({ id }: TranslatedSpace, { from }: TranslationConfig): Translation['source'] {
  return { space: id, language: languageOf(from) };
}

type ReadSettings =
  | ({ readonly settings: Settings } & Pick<RepositoryTranslation, 'appliedSettings' | 'glossaryFrom'>)
  | { readonly problem: string; readonly invalidGlossaryFrom: string };

/** The settings from the configuration. Settings that it never had may be set through the API; removed ones are reset. */
async function readSettings({
  row,
  entry,
  language,
  commitOid,
  readGlossary,
}: TranslationSync): Promise<ReadSettings> {
  const { provider, instructions, glossary: path } = entry;
  const settings: Settings = { provider };
  const appliedSettings: string[] = [];
  if (instructions !== undefined) appliedSettings.push('instructions');
  if (instructions !== undefined || row.appliedSettings.includes('instructions'))
    settings.instructions = toInstructions(instructions ?? '');
  let glossaryFrom: string | null = null;
  if (path !== undefined) appliedSettings.push('glossary');
  if (path !== undefined && commitOid !== null) {
    glossaryFrom = `${commitOid} ${path}`;
    // A glossary that was found invalid at this commit is not read again.
    if (row.invalidGlossaryFrom === glossaryFrom && row.error !== null)
      return { problem: row.error, invalidGlossaryFrom: glossaryFrom };
    if (row.glossaryFrom !== glossaryFrom || row.translationId === null) {
      const read = await readGlossary(path, commitOid);
      if ('problem' in read) return { problem: read.problem, invalidGlossaryFrom: glossaryFrom };
      settings.glossary = [...entriesFor(read.glossary, language)];
    }
  } else if (path === undefined && row.appliedSettings.includes('glossary')) settings.glossary = [];
  return { settings, appliedSettings, glossaryFrom };
}

/** Whether the stored translation differs. A database does not preserve the order of fields. */
function differs(found: Translation, { provider, instructions, glossary }: Settings): boolean {
  return (
    found.provider !== provider ||
    (instructions !== undefined && !isDeepStrictEqual(found.instructions, instructions)) ||
    (glossary !== undefined && !isDeepStrictEqual(found.glossary, glossary))
  );
}

type Instructions = NonNullable<Translation['instructions']>;

/** Plain text as a document of one paragraph; empty for no text. */
function toInstructions(text: string): Instructions {
  const leaves = [{ object: 'leaf' as const, text, marks: [] }];
  const nodes = [{ object: 'text' as const, key: 'text', leaves }];
  return {
    object: 'document',
    data: { schemaVersion: 1 },
    nodes: text === '' ? [] : [{ object: 'block', type: 'paragraph', key: 'instructions', nodes }],
  };
}
