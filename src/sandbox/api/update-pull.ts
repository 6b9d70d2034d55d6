import { Type } from 'typebox';
import { emitPullEvent, refreshPull, setPullState } from '../actions/pulls.ts';
import { timestamp } from '../forge-context.ts';
import { presentFullPull } from '../present/pull.ts';
import type { PullRecord } from '../state/records.ts';
import { ForgeApiError, invalidError } from './api-error.ts';
import { mayUse } from './caller.ts';
import { BodyText, parseBody } from './parse-body.ts';
import { requirePull } from './require-pull.ts';
import { ok, type RepositoryCall, type RouteResult, requireAccount } from './route.ts';

const PullChange = Type.Object({
  title: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  body: Type.Optional(BodyText),
  state: Type.Optional(Type.Enum(['open', 'closed'])),
  base: Type.Optional(Type.String({ minLength: 1 })),
});

/** The author and everyone who may write to the repository may change a pull request. */
export function updatePull(call: RepositoryCall): Promise<RouteResult> {
  const { context, caller, repository } = call;
  const author = caller.kind === 'user' && requirePull(call).authorId === caller.account.id;
  if (!author && !mayUse(context, caller, repository, 'pull_requests', 'write')) {
    throw new ForgeApiError(
      403,
      caller.kind === 'installation' ? 'Resource not accessible by integration' : 'Must have push access',
    );
  }
  return changePull(call);
}

async function changePull(call: RepositoryCall): Promise<RouteResult> {
  const { context, repository } = call;
  const sender = requireAccount(call);
  const pull = requirePull(call);
  const change = parseBody(PullChange, call.body);
  const baseSha = change.base === undefined ? pull.baseSha : repository.refs[`refs/heads/${change.base}`];
  if (!baseSha) throw invalidError('PullRequest', 'base', `The branch ${change.base} does not exist.`);
  const reopen = change.state === 'open' && pull.state === 'closed';
  if (reopen && pull.mergedAt)
    throw invalidError('PullRequest', 'state', 'state cannot be changed. The pull request was merged.');
  const changes: Record<string, object> = {};
  if (change.title !== undefined && change.title !== pull.title) changes['title'] = { from: pull.title };
  if (change.body !== undefined && change.body !== pull.body) changes['body'] = { from: pull.body ?? '' };
  if (change.base !== undefined && change.base !== pull.baseRef) {
    changes['base'] = { ref: { from: pull.baseRef }, sha: { from: pull.baseSha } };
  }
  pull.title = change.title ?? pull.title;
  pull.body = change.body === undefined ? pull.body : change.body;
  pull.baseRef = change.base ?? pull.baseRef;
  pull.baseSha = baseSha;
  pull.updatedAt = timestamp(context.now());
  if (changes['base'] && pull.state === 'open') await refreshPull(context, pull);
  if (Object.keys(changes).length > 0) await emitPullEvent(context, pull, 'edited', sender, { changes });
  if (change.state === 'closed' && pull.state === 'open') await setPullState(context, pull, sender);
  if (reopen) await reopenPull(call, pull);
  await context.save();
  return ok(await presentFullPull(context, pull));
}

/** Reopens a pull request; its branches may have moved since it was closed. */
async function reopenPull(call: RepositoryCall, pull: PullRecord): Promise<void> {
  const { context, repository } = call;
  const head = context.data.repositories.find((candidate) => candidate.id === pull.headRepositoryId);
  const headSha = head?.refs[`refs/heads/${pull.headRef}`];
  if (!headSha)
    throw invalidError(
      'PullRequest',
      'state',
      `state cannot be changed. The ${pull.headRef} branch has been deleted.`,
    );
  pull.state = 'open';
  pull.closedAt = null;
  pull.headSha = headSha;
  pull.baseSha = repository.refs[`refs/heads/${pull.baseRef}`] ?? pull.baseSha;
  await refreshPull(context, pull);
  await emitPullEvent(context, pull, 'reopened', requireAccount(call));
}
