import { Type } from 'typebox';
import { timestamp } from '../forge-context.ts';
import { latestStatuses, presentCombinedStatus, presentStatus, statusesOf } from '../present/status.ts';
import type { StatusRecord } from '../state/records.ts';
import { ForgeApiError, invalidError } from './api-error.ts';
import { answerPage, linkHeader, readRequestedPage } from './paging.ts';
import { parseBody } from './parse-body.ts';
import { requireCommit } from './resolve-ref.ts';
import {
  created,
  type RepositoryCall,
  type RepositoryRoute,
  type RouteAnswer,
  requireAccount,
} from './route.ts';

/** https://docs.github.com/en/rest/commits/statuses: a limit of 1000 statuses per sha and context. */
const MAX_PER_CONTEXT = 1000;
const MAX_DESCRIPTION = 140;

const NewStatus = Type.Object({
  state: Type.Enum(['error', 'failure', 'pending', 'success']),
  target_url: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  description: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  context: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
});

async function createStatus(call: RepositoryCall): Promise<RouteAnswer> {
  const { context, repository } = call;
  const wanted = parseBody(NewStatus, call.body);
  const sha = await requireCommit(context, repository, call.params['sha'] ?? '');
  if ((wanted.description?.length ?? 0) > MAX_DESCRIPTION) {
    throw invalidError(
      'Status',
      'description',
      `description is too long (maximum is ${MAX_DESCRIPTION} characters)`,
      'custom',
    );
  }
  if (wanted.target_url && !/^https?:\/\//.test(wanted.target_url)) {
    throw invalidError('Status', 'target_url', 'target_url must use http(s) scheme', 'custom');
  }
  const creator = requireAccount(call);
  const name = wanted.context ?? 'default';
  if (
    statusesOf(context, repository, sha).filter((candidate) => candidate.context === name).length >=
    MAX_PER_CONTEXT
  ) {
    throw new ForgeApiError(422, 'Validation Failed', {
      errors: [
        {
          resource: 'Status',
          code: 'custom',
          message: 'This SHA and context has reached the maximum number of statuses.',
        },
      ],
    });
  }
  const status: StatusRecord = {
    id: context.nextId(),
    repositoryId: repository.id,
    sha,
    state: wanted.state as StatusRecord['state'],
    context: name,
    description: wanted.description ?? null,
    targetUrl: wanted.target_url ?? null,
    creatorId: creator.id,
    createdAt: timestamp(context.now()),
  };
  context.data.statuses.push(status);
  await context.save();
  return created(presentStatus(context, repository, status));
}

export const statusRoutes: readonly RepositoryRoute[] = [
  {
    method: 'POST',
    path: '/repos/:owner/:repo/statuses/:sha',
    needs: ['statuses', 'write'],
    run: createStatus,
  },
  {
    method: 'GET',
    path: '/repos/:owner/:repo/commits/:ref/statuses',
    needs: ['statuses', 'read'],
    run: async (call) => {
      const sha = await requireCommit(call.context, call.repository, call.params['ref'] ?? '');
      return answerPage(call, statusesOf(call.context, call.repository, sha), (status) =>
        presentStatus(call.context, call.repository, status),
      );
    },
  },
  {
    method: 'GET',
    path: '/repos/:owner/:repo/commits/:ref/status',
    needs: ['statuses', 'read'],
    run: async (call) => {
      const { context, repository } = call;
      const sha = await requireCommit(context, repository, call.params['ref'] ?? '');
      const page = readRequestedPage(call);
      const total = latestStatuses(context, repository, sha).length;
      const body = presentCombinedStatus(context, repository, sha, page);
      return { status: 200, body, headers: linkHeader(call, page, total) };
    },
  },
];
