import { languageOf } from '../../config/index.ts';
import { listRepositoryTranslations, releaseRepositoryTranslation } from '../../store/index.ts';
import type { SyncDeps } from '../deps.ts';
import { type PlannedRepository, syncSchedules } from '../sync-schedules.ts';
import { firstLanguage, translateJob } from './translate-job.ts';

/**
 * Schedules each translation that has a schedule, enqueues checks of all, since their spaces may have changed, and releases
 * those that the configuration does not name any more.
 */
export async function scheduleTranslations(
  { db, queue }: Pick<SyncDeps, 'db' | 'queue'>,
  repositories: readonly PlannedRepository[],
): Promise<void> {
  await syncSchedules(queue, translateJob, repositories, {
    kind: 'translation',
    spreadSeconds: 30 * 60,
    async plan({ id: repositoryId, hasSpaces }, { translations }) {
      if (!hasSpaces) return [];
      // Those with a schedule are checked, too: neither their first run nor a mistake waits for it.
      for (const space of new Set(translations.map(({ space }) => space)))
        await queue.enqueue(db, translateJob, { repositoryId, space }, { unlessWaiting: true });
      return translations.flatMap(({ space, languages, schedule }) => {
        if (schedule === undefined) return [];
        const language = firstLanguage({ languages });
        return [
          {
            work: { kind: 'translation', repositoryId, directory: space, language },
            schedule,
            payload: { repositoryId, space, scheduled: language },
          },
        ];
      });
    },
  });
  await releaseUnnamed(db, repositories);
}

async function releaseUnnamed(db: SyncDeps['db'], repositories: readonly PlannedRepository[]): Promise<void> {
  const named = new Map(
    repositories.flatMap(({ id, config }) => {
      if (config === null) return [];
      const keys = config.translations.flatMap(({ space, languages }) =>
        languages.map((tag) => `${languageOf(tag)} ${space}`),
      );
      return [[id, new Set(keys)] as const];
    }),
  );
  for (const row of await listRepositoryTranslations(db, [...named.keys()])) {
    const isNamed = named.get(row.repositoryId)?.has(`${row.language} ${row.directory}`) ?? true;
    if (row.isNamed && !isNamed) await releaseRepositoryTranslation(db, row);
  }
}
