import { Type } from 'typebox';
import { timestamp } from '../forge-context.ts';
import { presentIssue, presentIssueComment, presentLabels } from '../present/issue.ts';
import { accountById, findIssue, findPull } from '../state/find-records.ts';
import type { CommentRecord, IssueRecord, PullRecord } from '../state/records.ts';
import { emitCommentEvent, emitIssueEvent } from '../webhooks/issue-event.ts';
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
const Labels = Type.Array(Type.String({ minLength: 1, maxLength: 50 }));
const NewIssue = Type.Object({ title: Title, body: Type.Optional(BodyText), labels: Type.Optional(Labels) });
const AddedLabels = Type.Object({ labels: Labels });
const CommentText = Type.Object({ body: Type.String({ minLength: 1, maxLength: 65_536 }) });
const IssueChange = Type.Object({
  title: Type.Optional(Title),
  body: Type.Optional(BodyText),
  state: Type.Optional(Type.Enum(['open', 'closed'])),
  state_reason: Type.Optional(Type.Enum(['completed', 'not_planned', 'reopened'])),
});

function issuesOf({ context, repository }: RepositoryCall): readonly IssueRecord[] {
  return (context.data.issues ?? []).filter((issue) => issue.repositoryId === repository.id);
}

function requireIssue(call: RepositoryCall): IssueRecord {
  const found = findIssue(call.context.data, call.repository.id, numberParam(call, 'number'));
  if (!found) throw notFoundError();
  return found;
}

/** https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#follow-redirects */
function readIssue(call: RepositoryCall): RouteResult {
  const { context, repository } = call;
  const number = numberParam(call, 'number');
  const moved = context.data.movedIssues?.find(
    (candidate) => candidate.repositoryId === repository.id && candidate.number === number,
  );
  const issue = context.data.issues?.find(({ id }) => id === moved?.issueId);
  if (issue === undefined) return ok(presentIssue(context, requireIssue(call)));
  const { url } = presentIssue(context, issue);
  return { status: 301, headers: { location: url }, body: { message: 'Moved Permanently', url } };
}

function listIssues(call: RepositoryCall): RouteResult {
  const { context, query } = call;
  const state = query.get('state') ?? 'open';
  const creator = query.get('creator');
  const labels = (query.get('labels') ?? '').split(',').filter((label) => label !== '');
  const issues = issuesOf(call)
    .filter((issue) => state === 'all' || issue.state === state)
    .filter((issue) => creator === null || accountById(context.data, issue.authorId).login === creator)
    .filter((issue) => labels.every((label) => hasLabel(issue, label)));
  if (query.get('sort') === 'updated') issues.sort((a, b) => (a.updatedAt < b.updatedAt ? -1 : 1));
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
    labels: input.labels ?? [],
    createdAt: now,
    updatedAt: now,
    closedAt: null,
  };
  repository.nextPullNumber += 1;
  context.data.issues = [...(context.data.issues ?? []), issue];
  await context.save();
  emitIssueEvent(context, issue, 'opened', author);
  return created(presentIssue(context, issue));
}

function hasLabel({ labels = [] }: IssueRecord, name: string): boolean {
  return labels.some((label) => label.toLowerCase() === name.toLowerCase());
}

/** Labels that the issue has already change nothing. */
async function addLabels(call: RepositoryCall): Promise<RouteResult> {
  const { context, repository } = call;
  const issue = requireIssue(call);
  const added = parseBody(AddedLabels, call.body).labels.filter((label) => !hasLabel(issue, label));
  issue.labels = [...(issue.labels ?? []), ...added];
  await touch(call, issue);
  for (const _label of added) emitIssueEvent(context, issue, 'labeled', requireAccount(call));
  return ok(presentLabels(context, repository, issue.labels));
}

async function removeLabel(call: RepositoryCall): Promise<RouteResult> {
  const { context, params, repository } = call;
  const issue = requireIssue(call);
  const name = params['name'] ?? '';
  if (!hasLabel(issue, name)) throw new ForgeApiError(404, 'Label does not exist');
  issue.labels = (issue.labels ?? []).filter((label) => label.toLowerCase() !== name.toLowerCase());
  await touch(call, issue);
  emitIssueEvent(context, issue, 'unlabeled', requireAccount(call));
  return ok(presentLabels(context, repository, issue.labels));
}

/** What has a conversation: comments on pull requests have the addresses of those on issues. */
function requireCommented(call: RepositoryCall): IssueRecord | PullRecord {
  const pull = findPull(call.context.data, call.repository.id, numberParam(call, 'number'));
  return pull ?? requireIssue(call);
}

function pullsOf({ context, repository }: RepositoryCall): readonly PullRecord[] {
  return context.data.pulls.filter((pull) => pull.repositoryId === repository.id);
}

function listComments(call: RepositoryCall): RouteResult {
  const issue = requireCommented(call);
  return paginate(call, issue.comments ?? [], (comment) => presentIssueComment(call.context, issue, comment));
}

async function createComment(call: RepositoryCall): Promise<RouteResult> {
  const { context } = call;
  const issue = requireCommented(call);
  const author = requireAccount(call);
  const now = timestamp(context.now());
  const { body } = parseBody(CommentText, call.body);
  const comment = { id: context.nextId(), authorId: author.id, body, createdAt: now, updatedAt: now };
  issue.comments = [...(issue.comments ?? []), comment];
  await touch(call, issue);
  emitCommentEvent(context, issue, comment, 'created', author);
  return created(presentIssueComment(context, issue, comment));
}

function requireComment(call: RepositoryCall): {
  readonly issue: IssueRecord | PullRecord;
  readonly comment: CommentRecord;
} {
  const id = numberParam(call, 'comment');
  for (const issue of [...issuesOf(call), ...pullsOf(call)]) {
    const comment = issue.comments?.find((candidate) => candidate.id === id);
    if (comment) return { issue, comment };
  }
  throw notFoundError();
}

async function updateComment(call: RepositoryCall): Promise<RouteResult> {
  const { context } = call;
  const { issue, comment } = requireComment(call);
  const { body } = parseBody(CommentText, call.body);
  const updated = { ...comment, body, updatedAt: timestamp(context.now()) };
  issue.comments = (issue.comments ?? []).map((candidate) => (candidate === comment ? updated : candidate));
  await touch(call, issue);
  emitCommentEvent(context, issue, updated, 'edited', requireAccount(call));
  return ok(presentIssueComment(context, issue, updated));
}

async function deleteComment(call: RepositoryCall): Promise<RouteResult> {
  const { issue, comment } = requireComment(call);
  issue.comments = (issue.comments ?? []).filter((candidate) => candidate !== comment);
  await touch(call, issue);
  emitCommentEvent(call.context, issue, comment, 'deleted', requireAccount(call));
  return { status: 204 };
}

/** Whatever happens to an issue counts as a change of it. */
async function touch({ context }: RepositoryCall, issue: IssueRecord | PullRecord): Promise<void> {
  issue.updatedAt = timestamp(context.now());
  await context.save();
}

/** The author and everyone who may write to the repository may change an issue. */
async function updateIssue(call: RepositoryCall): Promise<RouteResult> {
  const { context, caller, repository } = call;
  const issue = requireIssue(call);
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
  await touch(call, issue);
  if (change.title !== undefined || change.body !== undefined)
    emitIssueEvent(context, issue, 'edited', requireAccount(call));
  return ok(presentIssue(context, issue));
}

const comment = '/repos/:owner/:repo/issues/comments/:comment';
const issues = '/repos/:owner/:repo/issues';

export const issueRoutes: readonly RepositoryRoute[] = [
  { method: 'PATCH', path: comment, needs: ['issues', 'write'], run: updateComment },
  { method: 'DELETE', path: comment, needs: ['issues', 'write'], run: deleteComment },
  { method: 'GET', path: `${issues}/:number/comments`, needs: ['issues', 'read'], run: listComments },
  { method: 'POST', path: `${issues}/:number/comments`, needs: ['issues', 'read'], run: createComment },
  { method: 'POST', path: `${issues}/:number/labels`, needs: ['issues', 'write'], run: addLabels },
  { method: 'DELETE', path: `${issues}/:number/labels/:name`, needs: ['issues', 'write'], run: removeLabel },
  { method: 'POST', path: issues, needs: ['issues', 'read'], run: createIssue },
  { method: 'GET', path: issues, needs: ['issues', 'read'], run: listIssues },
  {
    method: 'GET',
    path: `${issues}/:number`,
    needs: ['issues', 'read'],
    run: readIssue,
  },
  { method: 'PATCH', path: `${issues}/:number`, needs: ['issues', 'read'], run: updateIssue },
];
