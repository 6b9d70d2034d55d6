import { languageOf, parseConfig, type TranslationConfig } from '../../config/index.ts';
import type { Queue } from '../../queue/index.ts';
import {
  type Database,
  type KnownRepository,
  listOpenApiSources,
  listRepositoryTranslations,
  type OpenApiSource,
  type RepositoryTranslation,
} from '../../store/index.ts';
import { firstLanguage, specJob, translateJob, writeScheduleKey } from '../../sync/index.ts';
import type { StatusSpec, StatusTranslation } from '../../web/index.ts';

/** What a repository's configuration declares besides spaces. */
export interface ConfiguredStatus {
  readonly specifications: readonly StatusSpec[];
  readonly translations: readonly StatusTranslation[];
}

export interface ConfiguredParts {
  readonly db: Database;
  readonly queue: Queue;
  /** The organization that specifications belong to. */
  readonly organizationId: () => Promise<string>;
  /** The largest number of words that a run of a translation may send; null when the platform is another server. */
  readonly maxWords: number | null;
}

interface Facts {
  readonly sources: readonly OpenApiSource[];
  readonly rows: readonly RepositoryTranslation[];
  /** When each specification and translation is due next, by the key of its schedule. ISO 8601. */
  readonly nextSpecs: ReadonlyMap<string, string>;
  readonly nextTranslations: ReadonlyMap<string, string>;
}

/** Loads the specifications and translations that configurations name, and translations that they no longer name, by the id of the repository. */
export async function loadConfigured(
  parts: ConfiguredParts,
  repositories: readonly KnownRepository[],
): Promise<ReadonlyMap<number, ConfiguredStatus>> {
  const { db, queue } = parts;
  const ids = repositories.map(({ id }) => id);
  const [sources, rows, nextSpecs, nextTranslations] = await Promise.all([
    listOpenApiSources(db, ids),
    listRepositoryTranslations(db, ids),
    loadNextTimes(queue, specJob),
    loadNextTimes(queue, translateJob),
  ]);
  const facts = { sources, rows, nextSpecs, nextTranslations };
  return new Map(
    await Promise.all(
      repositories.map(
        async (repository) => [repository.id, await describe(parts, repository, facts)] as const,
      ),
    ),
  );
}

async function loadNextTimes(
  queue: Queue,
  job: Parameters<Queue['schedules']>[0],
): Promise<ReadonlyMap<string, string>> {
  const schedules = await queue.schedules(job);
  return new Map(schedules.map(({ key, next }) => [key, next.toISOString()]));
}

async function describe(
  { organizationId, maxWords }: ConfiguredParts,
  { id, configText }: KnownRepository,
  { sources, rows, nextSpecs, nextTranslations }: Facts,
): Promise<ConfiguredStatus> {
  const parsed = parseConfig(configText ?? '');
  const { openapi, translations } = 'problems' in parsed ? { openapi: [], translations: [] } : parsed.config;
  const organization = openapi.length === 0 ? '' : await organizationId();
  const specifications = openapi.map(({ name, file, url }): StatusSpec => {
    const source = sources.find((row) => row.name === name && row.repositoryId === id);
    return {
      name,
      organizationId: organization,
      source: { kind: file === undefined ? 'url' : 'file', at: file ?? url ?? '' },
      error: source?.error ?? null,
      lookedAt: source === undefined || source.commitOid === null ? null : source.updatedAt.toISOString(),
      next: nextSpecs.get(writeScheduleKey({ kind: 'specification', repositoryId: id, name })) ?? null,
    };
  });
  const entries = new Map<string, TranslationConfig>(
    translations.flatMap((entry) =>
      entry.languages.map((tag) => [`${languageOf(tag)} ${entry.space}`, entry] as const),
    ),
  );
  const presented = rows
    .filter(({ repositoryId }) => repositoryId === id)
    .map(({ directory, language, organizationId, translationId, error }): StatusTranslation => {
      const entry = entries.get(`${language} ${directory}`);
      const key = writeScheduleKey({
        kind: 'translation',
        repositoryId: id,
        directory,
        language: entry === undefined ? '' : firstLanguage(entry),
      });
      return {
        directory,
        language,
        organizationId,
        translationId,
        isNamed: entry !== undefined,
        error,
        next: entry?.schedule === undefined ? null : (nextTranslations.get(key) ?? null),
        maxWords,
      };
    });
  return { specifications, translations: presented };
}
