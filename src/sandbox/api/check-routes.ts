import { ensureCheckSuite } from '../actions/check-suites.ts';
import { timestamp } from '../forge-context.ts';
import { presentAnnotation, presentCheckRun } from '../present/check-run.ts';
import { findRunRecord } from '../state/find-records.ts';
import type { ActiveApp, CheckRunRecord } from '../state/records.ts';
import { emitCheckRunEvent } from '../webhooks/check-run-event.ts';
import { ForgeApiError, notFoundError } from './api-error.ts';
import { annotationRecords, CheckRunInput, checkRules } from './check-run-input.ts';
import { paginate } from './paging.ts';
import { parseBody } from './parse-body.ts';
import { requireCommit } from './resolve-ref.ts';
import {
  created,
  numberParam,
  ok,
  type RepositoryCall,
  type RepositoryRoute,
  type RouteResult,
} from './route.ts';

/** Only Apps write check runs; https://docs.github.com/en/rest/checks/runs */
function requireApp(call: RepositoryCall): ActiveApp {
  if (call.caller.kind !== 'installation')
    throw new ForgeApiError(403, 'You must authenticate via a GitHub App.');
  return call.caller.app;
}

/** The registered App. Without it there are no check runs. */
function appOf(call: RepositoryCall): ActiveApp {
  const { app } = call.context;
  if (!app) throw notFoundError();
  return app;
}

function present(call: RepositoryCall, run: CheckRunRecord) {
  return presentCheckRun(call.context, appOf(call), call.repository, run);
}

function runOf(call: RepositoryCall): CheckRunRecord {
  const found = findRunRecord(call.context.data, call.repository.id, numberParam(call, 'run'));
  if (!found) throw notFoundError();
  return found;
}

/** Applies a request's fields to a run. A conclusion completes it; another status than `completed` removes the conclusion. */
function applyInput(call: RepositoryCall, run: CheckRunRecord, input: CheckRunInput): void {
  const now = timestamp(call.context.now());
  run.name = input.name ?? run.name;
  run.externalId = input.external_id ?? run.externalId;
  run.detailsUrl = input.details_url ?? run.detailsUrl;
  run.startedAt = input.started_at ?? run.startedAt;
  run.status = input.conclusion !== undefined ? 'completed' : (input.status ?? run.status);
  if (run.status === 'completed') {
    run.conclusion = input.conclusion ?? run.conclusion;
    run.completedAt = input.completed_at ?? run.completedAt ?? now;
  } else {
    run.conclusion = null;
    run.completedAt = null;
  }
  if (input.output) {
    run.title = input.output.title ?? run.title;
    run.summary = input.output.summary ?? run.summary;
    run.text = input.output.text ?? run.text;
  }
  // Annotations of later requests are added to those of earlier ones.
  run.annotations.push(...annotationRecords(input));
  run.actions = input.actions ?? run.actions;
}

async function createRun(call: RepositoryCall): Promise<RouteResult> {
  const { context, repository } = call;
  requireApp(call);
  const input = parseBody(CheckRunInput, call.body);
  if (input.name === undefined) throw new ForgeApiError(422, 'Invalid request.\n\n"name" wasn\'t supplied.');
  if (input.head_sha === undefined)
    throw new ForgeApiError(422, 'Invalid request.\n\n"head_sha" wasn\'t supplied.');
  checkRules(input, null);
  if (!/^[0-9a-f]{40}$/.test(input.head_sha))
    throw new ForgeApiError(422, `No commit found for SHA: ${input.head_sha}`);
  const headSha = await requireCommit(context, repository, input.head_sha);
  const run: CheckRunRecord = {
    id: context.nextId(),
    suiteId: ensureCheckSuite(context, repository, headSha).id,
    repositoryId: repository.id,
    headSha,
    name: input.name,
    status: 'queued',
    conclusion: null,
    externalId: '',
    detailsUrl: null,
    startedAt: timestamp(context.now()),
    completedAt: null,
    title: null,
    summary: null,
    text: null,
    annotations: [],
    actions: [],
  };
  applyInput(call, run, input);
  context.data.checkRuns.push(run);
  emitCheckRunEvent(context, repository, run, { action: 'created' });
  if (run.status === 'completed') emitCheckRunEvent(context, repository, run, { action: 'completed' });
  await context.save();
  return created(present(call, run));
}

async function updateRun(call: RepositoryCall): Promise<RouteResult> {
  requireApp(call);
  const run = runOf(call);
  const input = parseBody(CheckRunInput, call.body);
  checkRules(input, run);
  const wasCompleted = run.status === 'completed';
  applyInput(call, run, input);
  if (run.status === 'completed' && !wasCompleted) {
    emitCheckRunEvent(call.context, call.repository, run, { action: 'completed' });
  }
  await call.context.save();
  return ok(present(call, run));
}

/** The runs of a commit; `filter=latest` (the default) lists only the newest of each name. */
async function listRuns(call: RepositoryCall): Promise<RouteResult> {
  const { context, repository, query } = call;
  const sha = await requireCommit(context, repository, call.params['ref'] ?? '');
  const seen = new Set<string>();
  const runs = context.data.checkRuns
    .filter((checkRun) => checkRun.repositoryId === repository.id && checkRun.headSha === sha)
    .reverse()
    .filter(
      (checkRun) => query.get('filter') === 'all' || (!seen.has(checkRun.name) && seen.add(checkRun.name)),
    )
    .filter((checkRun) => !query.get('check_name') || checkRun.name === query.get('check_name'))
    .filter((checkRun) => !query.get('status') || checkRun.status === query.get('status'))
    .filter(() => !query.get('app_id') || query.get('app_id') === String(context.app?.id));
  return paginate(
    call,
    runs,
    (checkRun) => present(call, checkRun),
    (check_runs, total_count) => ({ total_count, check_runs }),
  );
}

const runs = '/repos/:owner/:repo/check-runs';

export const checkRoutes: readonly RepositoryRoute[] = [
  { method: 'POST', path: runs, needs: ['checks', 'write'], run: createRun },
  {
    method: 'GET',
    path: `${runs}/:run`,
    needs: ['checks', 'read'],
    run: (call) => ok(present(call, runOf(call))),
  },
  { method: 'PATCH', path: `${runs}/:run`, needs: ['checks', 'write'], run: updateRun },
  {
    method: 'GET',
    path: `${runs}/:run/annotations`,
    needs: ['checks', 'read'],
    run: (call) => {
      const run = runOf(call);
      return paginate(call, run.annotations, (annotation) =>
        presentAnnotation(call.context, call.repository, run, annotation),
      );
    },
  },
  {
    method: 'POST',
    path: `${runs}/:run/rerequest`,
    needs: ['checks', 'write'],
    run: (call) => {
      requireApp(call);
      emitCheckRunEvent(call.context, call.repository, runOf(call), { action: 'rerequested' });
      return created({});
    },
  },
  {
    method: 'GET',
    path: '/repos/:owner/:repo/commits/:ref/check-runs',
    needs: ['checks', 'read'],
    run: listRuns,
  },
];
