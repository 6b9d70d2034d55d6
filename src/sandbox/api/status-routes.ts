import { Type } from 'typebox';
import { timestamp } from '../forge-context.ts';
import { latestStatuses, presentCombinedStatus, presentStatus, statusesOf } from '../present/status.ts';
import type { StatusRecord } from '../state/records.ts';
import { ForgeApiError, invalidError } from './api-error.ts';
import { linkHeader, paginate, readRequestedPage } from './paging.ts';
import { parseBody } from './parse-body.ts';
import { requireCommit } from './resolve-ref.ts';
import {
  created,
  type RepositoryCall,
  type RepositoryRoute,
  type RouteResult,
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

async function createStatus(call: RepositoryCall): Promise<RouteResult> {
  const { context, repository } = call;
  const input = parseBody(NewStatus, call.body);
  const sha = await requireCommit(context, repository, call.params['sha'] ?? '');
  if ((input.description?.length ?? 0) > MAX_DESCRIPTION) {
    throw invalidError(
      'Status',
      'description',
      `description is too long (maximum is ${MAX_DESCRIPTION} characters)`,
      'custom',
    );
  }
  if (input.target_url && !/^https?:\/\//.test(input.target_url)) {
    throw invalidError('Status', 'target_url', 'target_url must use http(s) scheme', 'custom');
  }
  const creator = requireAccount(call);
  const name = input.context ?? 'default';
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
    state: input.state as StatusRecord['state'],
    context: name,
    description: input.description ?? null,
    targetUrl: input.target_url ?? null,
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
      return paginate(call, statusesOf(call.context, call.repository, sha), (status) =>
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
