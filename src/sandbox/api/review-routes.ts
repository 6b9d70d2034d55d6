import { type Static, Type } from 'typebox';
import { type ForgeContext, gitDirOf, timestamp } from '../forge-context.ts';
import { listChanges } from '../git/read-changes.ts';
import { findMergeBase } from '../git/read-commits.ts';
import { nodeId, presentAccount } from '../present/account.ts';
import { repositoryUrls } from '../present/repository.ts';
import { accountById, repositoryById } from '../state/find-records.ts';
import type { PullRecord, ReviewRecord } from '../state/records.ts';
import { ForgeApiError } from './api-error.ts';
import { findPull } from './find-pull.ts';
import { paginate } from './paging.ts';
import { parseBody } from './parse-body.ts';
import { ok, type RepositoryCall, type RepositoryRoute, type RouteResult, requireAccount } from './route.ts';

/** Comments on lines of the new side, which are all that the App writes. */
const NewReview = Type.Object({
  commit_id: Type.Optional(Type.String()),
  body: Type.Optional(Type.String({ maxLength: 65_536 })),
  event: Type.Optional(Type.Enum(['APPROVE', 'REQUEST_CHANGES', 'COMMENT'])),
  comments: Type.Optional(
    Type.Array(
      Type.Object({
        path: Type.String({ minLength: 1 }),
        body: Type.String({ minLength: 1, maxLength: 65_536 }),
        line: Type.Integer({ minimum: 1 }),
        side: Type.Optional(Type.Enum(['LEFT', 'RIGHT'])),
      }),
    ),
  ),
});

async function createReview(call: RepositoryCall): Promise<RouteResult> {
  const { context } = call;
  const pull = findPull(call);
  const input = parseBody(NewReview, call.body);
  const commitId = input.commit_id ?? pull.headSha;
  if (input.event === 'COMMENT' && !input.body && !input.comments?.length)
    throw new ForgeApiError(422, 'Unprocessable Entity');
  await requireLines(context, pull, commitId, input.comments ?? []);
  const review: ReviewRecord = {
    id: context.nextId(),
    repositoryId: pull.repositoryId,
    pullNumber: pull.number,
    authorId: requireAccount(call).id,
    commitId,
    body: input.body ?? '',
    comments: (input.comments ?? []).map(({ path, line, body }) => ({ path, line, body })),
    submittedAt: timestamp(context.now()),
  };
  context.data.reviews = [...(context.data.reviews ?? []), review];
  await context.save();
  return ok(presentReview(context, pull, review));
}

/** Throws a 422 when a comment is on a line that the diff does not show: then GitHub refuses the whole review. */
async function requireLines(
  context: ForgeContext,
  pull: PullRecord,
  head: string,
  comments: NonNullable<Static<typeof NewReview>['comments']>,
): Promise<void> {
  const gitDir = gitDirOf(context, pull.repositoryId);
  const base = (await findMergeBase(gitDir, pull.baseSha, head)) ?? pull.baseSha;
  const changes = new Map(
    (await listChanges(gitDir, base, head)).map((change) => [change.path, change.patch]),
  );
  for (const { path, line } of comments) {
    const patch = changes.get(path);
    if (patch == null) throw refusal('Path could not be resolved');
    const isShown = [...patch.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)].some(([, start, count]) => {
      const first = Number(start);
      return line >= first && line < first + Number(count ?? 1);
    });
    if (!isShown) throw refusal('Line could not be resolved');
  }
}

function refusal(message: string): ForgeApiError {
  return new ForgeApiError(422, `Unprocessable Entity: ${message}`);
}

function presentReview(context: ForgeContext, pull: PullRecord, review: ReviewRecord) {
  const { html, api } = repositoryUrls(context, repositoryById(context.data, pull.repositoryId));
  const page = `${html}/pull/${pull.number}#pullrequestreview-${review.id}`;
  const pullUrl = `${api}/pulls/${pull.number}`;
  return {
    id: review.id,
    node_id: nodeId('PullRequestReview', review.id),
    user: presentAccount(context, accountById(context.data, review.authorId)),
    body: review.body,
    state: 'COMMENTED',
    html_url: page,
    pull_request_url: pullUrl,
    _links: { html: { href: page }, pull_request: { href: pullUrl } },
    submitted_at: review.submittedAt,
    commit_id: review.commitId,
    author_association: 'NONE',
  };
}

const reviews = '/repos/:owner/:repo/pulls/:number/reviews';

export const reviewRoutes: readonly RepositoryRoute[] = [
  { method: 'POST', path: reviews, needs: ['pull_requests', 'write'], run: createReview },
  {
    method: 'GET',
    path: reviews,
    needs: ['pull_requests', 'read'],
    run: (call) => {
      const pull = findPull(call);
      const own = (call.context.data.reviews ?? []).filter(
        (review) => review.repositoryId === pull.repositoryId && review.pullNumber === pull.number,
      );
      return paginate(call, own, (review) => presentReview(call.context, pull, review));
    },
  },
];
