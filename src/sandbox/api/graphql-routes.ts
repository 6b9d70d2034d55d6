import { Type } from 'typebox';
import { describeDiscussion } from '../present/discussion.ts';
import { findDiscussion, findRepository } from '../state/find-records.ts';
import type { RepositoryRecord } from '../state/records.ts';
import { ForgeApiError } from './api-error.ts';
import { canSee, mayUse } from './caller.ts';
import { parseBody } from './parse-body.ts';
import { type Call, ok, type PlainRoute, type RouteResult } from './route.ts';

const Query = Type.Object({
  query: Type.String(),
  variables: Type.Object({
    owner: Type.String(),
    name: Type.String(),
    number: Type.Optional(Type.Integer()),
    after: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  }),
});

const AnyQuery = Type.Object({ query: Type.String() });
const TipsQuery = Type.Object({ variables: Type.Record(Type.String(), Type.String()) });

const PER_PAGE = 100;

/** Answers the queries that the App makes, by their names, with all fields of the stand-in. https://docs.github.com/graphql */
function answerQuery(call: Call): RouteResult {
  const { query } = parseBody(AnyQuery, call.body);
  const name = /^query (\w+)/.exec(query)?.[1];
  if (name === 'docloomTips') return readTips(call);
  const { variables } = parseBody(Query, call.body);
  const { context, caller } = call;
  const repository = findRepository(context.data, variables.owner, variables.name);
  if (!repository || !canSee(context, caller, repository))
    return refuse('NOT_FOUND', `Could not resolve to a Repository with the name '${variables.name}'.`);
  if (!mayUse(context, caller, repository, 'discussions', 'read'))
    return refuse('FORBIDDEN', 'Resource not accessible by integration');
  if (name === 'docloomDiscussions') return listDiscussions(call, repository, variables.after ?? null);
  if (name !== 'docloomDiscussion')
    throw new ForgeApiError(501, `The sandbox does not know the query ${name}.`);
  const discussion = findDiscussion(context.data, repository.id, variables.number);
  return discussion === undefined
    ? refuse('NOT_FOUND', `Could not resolve to a Discussion with the number of ${variables.number}.`)
    : ok({ data: { repository: { discussion: describeDiscussion(context, discussion) } } });
}

function listDiscussions({ context }: Call, repository: RepositoryRecord, after: string | null): RouteResult {
  const all = (context.data.discussions ?? [])
    .filter((candidate) => candidate.repositoryId === repository.id)
    .sort((a, b) => (a.updatedAt > b.updatedAt ? -1 : 1));
  const start = Number(after ?? 0);
  const end = start + PER_PAGE;
  const nodes = all.slice(start, end).map((discussion) => describeDiscussion(context, discussion));
  const pageInfo = { hasNextPage: end < all.length, endCursor: String(end) };
  return ok({ data: { repository: { discussions: { nodes, pageInfo } } } });
}

/** The tips of branches of many repositories; those that the caller cannot read are null, and named as errors. */
function readTips({ context, caller, body }: Call): RouteResult {
  const { variables } = parseBody(TipsQuery, body);
  const data: Record<string, object | null> = {};
  const errors: object[] = [];
  for (let index = 0; variables[`o${index}`] !== undefined; index++) {
    const [owner = '', name = ''] = [variables[`o${index}`], variables[`n${index}`]];
    const repository = findRepository(context.data, owner, name);
    const isReadable =
      repository !== undefined &&
      canSee(context, caller, repository) &&
      mayUse(context, caller, repository, 'contents', 'read');
    if (!isReadable) {
      const message = `Could not resolve to a Repository with the name '${owner}/${name}'.`;
      errors.push({ type: 'NOT_FOUND', path: [`r${index}`], message });
      data[`r${index}`] = null;
      continue;
    }
    const refs: Record<string, object | null> = {};
    for (let nth = 0; variables[`b${index}x${nth}`] !== undefined; nth++) {
      const oid = repository.refs[variables[`b${index}x${nth}`] ?? ''];
      refs[`b${nth}`] = oid === undefined ? null : { target: { oid } };
    }
    data[`r${index}`] = { databaseId: repository.id, ...refs };
  }
  return ok({ data, ...(errors.length > 0 ? { errors } : {}) });
}

/** GitHub answers 200, and says in the body what is wrong. */
function refuse(type: string, message: string): RouteResult {
  return ok({ data: { repository: null }, errors: [{ type, path: ['repository'], message }] });
}

export const graphqlRoutes: readonly PlainRoute[] = [
  { method: 'POST', path: '/graphql', callers: ['installation', 'user'], run: answerQuery },
];
