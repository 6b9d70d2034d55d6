import { Type } from 'typebox';
import { timestamp } from '../forge-context.ts';
import { presentIssue } from '../present/issue.ts';
import { accountById } from '../state/find-records.ts';
import type { IssueRecord } from '../state/records.ts';
import { ForgeApiError, notAccessible, notFoundError } from './api-error.ts';
import { mayUse } from './caller.ts';
import { paginate } from './paging.ts';
import { BodyText, parseBody } from './parse-body.ts';
import {
  created,
  numberParam,
  ok,
  type RepositoryCall,
  type RepositoryRoute,
  type RouteResult,
  requireAccount,
} from './route.ts';

/** https://docs.github.com/en/rest/issues/issues; pull requests are not listed as issues here. */
const Title = Type.String({ minLength: 1, maxLength: 256 });
const NewIssue = Type.Object({ title: Title, body: Type.Optional(BodyText) });
const IssueChange = Type.Object({
  title: Type.Optional(Title),
  body: Type.Optional(BodyText),
  state: Type.Optional(Type.Enum(['open', 'closed'])),
  state_reason: Type.Optional(Type.Enum(['completed', 'not_planned', 'reopened'])),
});

function issuesOf({ context, repository }: RepositoryCall): readonly IssueRecord[] {
  return (context.data.issues ?? []).filter((issue) => issue.repositoryId === repository.id);
}

function findIssue(call: RepositoryCall): IssueRecord {
  const number = numberParam(call, 'number');
  const found = issuesOf(call).find((issue) => issue.number === number);
  if (!found) throw notFoundError();
  return found;
}

function listIssues(call: RepositoryCall): RouteResult {
  const { context, query } = call;
  const state = query.get('state') ?? 'open';
  const creator = query.get('creator');
  const issues = issuesOf(call)
    .filter((issue) => state === 'all' || issue.state === state)
    .filter((issue) => creator === null || accountById(context.data, issue.authorId).login === creator);
  const newestFirst = (query.get('direction') ?? 'desc') === 'desc';
  return paginate(call, newestFirst ? issues.toReversed() : issues, (candidate) =>
    presentIssue(context, candidate),
  );
}

/** Everyone who may read may open an issue. An App needs the permission. */
async function createIssue(call: RepositoryCall): Promise<RouteResult> {
  const { context, caller, repository } = call;
  if (caller.kind === 'installation' && !mayUse(context, caller, repository, 'issues', 'write')) {
    throw notAccessible();
  }
  const author = requireAccount(call);
  const input = parseBody(NewIssue, call.body);
  const now = timestamp(context.now());
  const issue: IssueRecord = {
    id: context.nextId(),
    number: repository.nextPullNumber,
    repositoryId: repository.id,
    authorId: author.id,
    title: input.title,
    body: input.body ?? null,
    state: 'open',
    stateReason: null,
    createdAt: now,
    updatedAt: now,
    closedAt: null,
  };
  repository.nextPullNumber += 1;
  context.data.issues = [...(context.data.issues ?? []), issue];
  await context.save();
  return created(presentIssue(context, issue));
}

/** The author and everyone who may write to the repository may change an issue. */
async function updateIssue(call: RepositoryCall): Promise<RouteResult> {
  const { context, caller, repository } = call;
  const issue = findIssue(call);
  const isAuthor = caller.kind === 'user' && issue.authorId === caller.account.id;
  if (!isAuthor && !mayUse(context, caller, repository, 'issues', 'write')) {
    throw caller.kind === 'installation' ? notAccessible() : new ForgeApiError(403, 'Must have push access');
  }
  const change = parseBody(IssueChange, call.body);
  const now = timestamp(context.now());
  issue.title = change.title ?? issue.title;
  issue.body = change.body === undefined ? issue.body : change.body;
  if (change.state !== undefined && change.state !== issue.state) {
    issue.state = change.state;
    issue.closedAt = change.state === 'closed' ? now : null;
    issue.stateReason = change.state === 'open' ? 'reopened' : (change.state_reason ?? 'completed');
  }
  issue.updatedAt = now;
  await context.save();
  return ok(presentIssue(context, issue));
}

const issues = '/repos/:owner/:repo/issues';

export const issueRoutes: readonly RepositoryRoute[] = [
  { method: 'POST', path: issues, needs: ['issues', 'read'], run: createIssue },
  { method: 'GET', path: issues, needs: ['issues', 'read'], run: listIssues },
  {
    method: 'GET',
    path: `${issues}/:number`,
    needs: ['issues', 'read'],
    run: (call) => ok(presentIssue(call.context, findIssue(call))),
  },
  { method: 'PATCH', path: `${issues}/:number`, needs: ['issues', 'read'], run: updateIssue },
];
