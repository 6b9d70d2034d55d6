import type { ForgeContext } from '../forge-context.ts';
import { presentAccount } from '../present/account.ts';
import { presentApp } from '../present/app.ts';
import { presentCheckRun } from '../present/check-run.ts';
import { repositoryUrls } from '../present/repository.ts';
import type { AccountRecord, CheckRunRecord, RepositoryRecord } from '../state/records.ts';
import { emitRepositoryEvent } from './emit-event.ts';

export interface CheckRunChange {
  readonly action: 'created' | 'completed' | 'rerequested' | 'requested_action';
  /** The account that did it; absent: the App itself. */
  readonly sender?: AccountRecord;
  /** Which of the run's buttons was pressed, for `requested_action`. */
  readonly identifier?: string;
}

/** Sends `check_run`, if the App subscribed to it. */
export function emitCheckRunEvent(
  context: ForgeContext,
  repository: RepositoryRecord,
  run: CheckRunRecord,
  change: CheckRunChange,
): void {
  const { app } = context;
  if (!app) return;
  const suite = context.data.checkSuites.find((checkSuite) => checkSuite.id === run.suiteId);
  const shown = presentCheckRun(context, app, repository, run);
  emitRepositoryEvent(context, {
    event: 'check_run',
    action: change.action,
    repository,
    sender: change.sender ?? app.bot,
    payload: {
      check_run: {
        ...shown,
        check_suite: {
          id: run.suiteId,
          node_id: shown.node_id,
          head_branch: suite?.headBranch ?? null,
          head_sha: run.headSha,
          status: run.status,
          conclusion: run.conclusion,
          url: `${repositoryUrls(context, repository).api}/check-suites/${run.suiteId}`,
          before: null,
          after: run.headSha,
          pull_requests: shown.pull_requests,
          app: { ...presentApp(context, app), owner: presentAccount(context, app.bot) },
          created_at: suite?.createdAt ?? run.startedAt,
          updated_at: run.completedAt ?? run.startedAt,
        },
      },
      ...(change.identifier !== undefined && { requested_action: { identifier: change.identifier } }),
    },
  });
}
