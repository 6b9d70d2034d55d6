import { Type } from 'typebox';
import { emitPullEvent, refreshPull, setPullState } from '../actions/pulls.ts';
import { timestamp } from '../forge-context.ts';
import { presentFullPull } from '../present/pull.ts';
import type { PullRecord } from '../state/records.ts';
import { ForgeApiError, invalidError } from './api-error.ts';
import { mayUse } from './caller.ts';
import { findPull } from './find-pull.ts';
import { parseBody } from './parse-body.ts';
import { PullText } from './pull-text.ts';
import { ok, type RepositoryCall, type RouteAnswer, requireAccount } from './route.ts';

const PullChange = Type.Object({
  title: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  body: Type.Optional(PullText),
  state: Type.Optional(Type.Enum(['open', 'closed'])),
  base: Type.Optional(Type.String({ minLength: 1 })),
});

/** The author may change a pull request, and so may everyone who may write to the repository. */
export function updatePull(call: RepositoryCall): Promise<RouteAnswer> {
  const { context, caller, repository } = call;
  const author = caller.kind === 'user' && findPull(call).authorId === caller.account.id;
  if (!author && !mayUse(context, caller, repository, 'pull_requests', 'write')) {
    throw new ForgeApiError(
      403,
      caller.kind === 'installation' ? 'Resource not accessible by integration' : 'Must have push access',
    );
  }
  return changePull(call);
}

async function changePull(call: RepositoryCall): Promise<RouteAnswer> {
  const { context, repository } = call;
  const sender = requireAccount(call);
  const pull = findPull(call);
  const wanted = parseBody(PullChange, call.body);
  const baseSha = wanted.base === undefined ? pull.baseSha : repository.refs[`refs/heads/${wanted.base}`];
  if (!baseSha) throw invalidError('PullRequest', 'base', `The branch ${wanted.base} does not exist.`);
  const reopen = wanted.state === 'open' && pull.state === 'closed';
  if (reopen && pull.mergedAt)
    throw invalidError('PullRequest', 'state', 'state cannot be changed. The pull request was merged.');
  const changes: Record<string, object> = {};
  if (wanted.title !== undefined && wanted.title !== pull.title) changes['title'] = { from: pull.title };
  if (wanted.body !== undefined && wanted.body !== pull.body) changes['body'] = { from: pull.body ?? '' };
  if (wanted.base !== undefined && wanted.base !== pull.baseRef) {
    changes['base'] = { ref: { from: pull.baseRef }, sha: { from: pull.baseSha } };
  }
  pull.title = wanted.title ?? pull.title;
  pull.body = wanted.body === undefined ? pull.body : wanted.body;
  pull.baseRef = wanted.base ?? pull.baseRef;
  pull.baseSha = baseSha;
  pull.updatedAt = timestamp(context.now());
  if (changes['base'] && pull.state === 'open') await refreshPull(context, pull);
  if (Object.keys(changes).length > 0) await emitPullEvent(context, pull, 'edited', sender, { changes });
  if (wanted.state === 'closed' && pull.state === 'open') await setPullState(context, pull, sender);
  if (reopen) await reopenPull(call, pull);
  await context.save();
  return ok(await presentFullPull(context, pull));
}

/** The branches may have moved while nobody followed them. */
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
