import type { Logger } from 'pino';
import {
  concludeReport,
  type Database,
  listStuckPulls,
  listUnfinishedReports,
  loadRepository,
  type StoredReport,
} from '../../store/index.ts';
import { type AppAccess, explainError, splitName } from '../api/index.ts';

import { closeUnfinished } from './close-overtaken.ts';

/** More are in progress at once only after a long outage, and a person who removes an App waits for this. */
const MAX_PULLS = 200;

export interface CloseAllDeps {
  readonly db: Database;
  readonly publicUrl: string;
  readonly access: AppAccess;
  readonly log: Logger;
}

/**
 * Completes every check in progress of a pull request with the reason why it has no verdict. When GitHub is not accessible
 * any more, only the report is completed.
 */
export async function closeAll(deps: CloseAllDeps, reason: string, signal: AbortSignal): Promise<void> {
  const { db, log } = deps;
  for (const pull of await listStuckPulls(db, { olderThanMs: 0, limit: MAX_PULLS })) {
    const reports = await Promise.all(
      (['links', 'api'] as const).map((kind) => listUnfinishedReports(db, { ...pull, kind })),
    );
    for (const report of reports.flat()) {
      try {
        // Retried once: an internal error of GitHub says nothing about the next attempt.
        await closeReport(deps, report, reason, signal).catch(() =>
          closeReport(deps, report, reason, signal),
        );
      } catch (error) {
        log.warn({ reason: explainError(error), pull: pull.pullNumber }, 'A check could not be completed');
        await concludeReport(db, report.id, 'neutral');
      }
    }
  }
}

async function closeReport(
  deps: CloseAllDeps,
  report: StoredReport,
  reason: string,
  signal: AbortSignal,
): Promise<void> {
  const repository = await loadRepository(deps.db, report.repositoryId);
  if (repository === null) throw new Error('The repository is not known any more.');
  const octokit = await deps.access.on(repository.installationId, { signal });
  await closeUnfinished(deps, { name: splitName(repository.fullName) }, octokit, report, reason);
}
