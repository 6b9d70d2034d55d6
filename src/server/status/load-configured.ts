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
import { scheduleName, specJob, translateJob } from '../../sync/index.ts';
import type { StatusSpec, StatusTranslation } from '../../web/index.ts';

/** What a repository's configuration has on the platform beside its spaces. */
export interface ConfiguredStatus {
  readonly specifications: readonly StatusSpec[];
  readonly translations: readonly StatusTranslation[];
}

export interface ConfiguredParts {
  readonly db: Database;
  readonly queue: Queue;
  /** The organization that specifications belong to. */
  readonly organizationId: () => Promise<string>;
  /** Words that a run of a translation may send; null where another server decides. */
  readonly maxWords: number | null;
}

interface Facts {
  readonly sources: readonly OpenApiSource[];
  readonly rows: readonly RepositoryTranslation[];
  /** The next time of each schedule, by its key. */
  readonly next: ReadonlyMap<string, string>;
}

/** The specifications and translations of repositories, by the id of each: those that the configuration names, and translations that it named. */
export async function loadConfigured(
  parts: ConfiguredParts,
  repositories: readonly KnownRepository[],
): Promise<ReadonlyMap<number, ConfiguredStatus>> {
  const { db, queue } = parts;
  const ids = repositories.map(({ id }) => id);
  const [sources, rows, ...schedules] = await Promise.all([
    listOpenApiSources(db, ids),
    listRepositoryTranslations(db, ids),
    queue.schedules(specJob),
    queue.schedules(translateJob),
  ]);
  const next = new Map(schedules.flat().map((one) => [one.key, one.next.toISOString()]));
  return new Map(
    await Promise.all(
      repositories.map(async (one) => [one.id, await describe(parts, one, { sources, rows, next })] as const),
    ),
  );
}

async function describe(
  { organizationId, maxWords }: ConfiguredParts,
  { id, configText }: KnownRepository,
  { sources, rows, next }: Facts,
): Promise<ConfiguredStatus> {
  const parsed = parseConfig(configText ?? '');
  const { openapi, translations } = 'problems' in parsed ? { openapi: [], translations: [] } : parsed.config;
  const organization = openapi.length === 0 ? '' : await organizationId();
  const specifications = openapi.map(({ name, file, url }): StatusSpec => {
    const source = sources.find((one) => one.name === name && one.repositoryId === id);
    return {
      name,
      organizationId: organization,
      source: { kind: file === undefined ? 'url' : 'file', at: file ?? url ?? '' },
      error: source?.error ?? null,
      lookedAt: source === undefined || source.commitOid === null ? null : source.updatedAt.toISOString(),
      next: next.get(`${id}/${name}`) ?? null,
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
      const when = entry?.schedule === undefined ? null : next.get(`${id}/${scheduleName(entry)}`);
      return {
        directory,
        language,
        organizationId,
        translationId,
        isNamed: entry !== undefined,
        error,
        next: when ?? null,
        maxWords,
      };
    });
  return { specifications, translations: presented };
}
