import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ForgeContext } from '../forge-context.ts';
import { findRenamedRepository, findRepository, fullNameOf } from '../state/find-records.ts';
import { ForgeApiError, notAccessible, notFoundError } from './api-error.ts';
import type { ApiRequest, UnexpectedRequest } from './api-request.ts';
import { canSee, type ForgeCaller, identifyCaller, mayUse, readCredential } from './caller.ts';
import { type RouteMatch, routeMatcher } from './match-route.ts';
import type { RequestQuota } from './rate-limits.ts';
import { readJsonBody } from './read-json-body.ts';
import { applyRequestFault, lostAnswer } from './request-fault.ts';
import type { Call, RepositoryRoute, RouteResult } from './route.ts';
import { routes } from './routes.ts';

const PREFIX = '/api/v3';

export interface ApiParts {
  readonly context: ForgeContext;
  readonly limits: RequestQuota;
  readonly onUnexpected: (request: UnexpectedRequest) => void;
  readonly onRequest: (request: ApiRequest) => void;
  readonly onResponse: (method: string, path: string, status: number) => void;
}

const findRoute = routeMatcher(routes);

/** Where an enterprise server answers GraphQL. */
export const GRAPHQL_PATH = '/api/graphql';

function pathOf(context: ForgeContext, pathname: string): string {
  return pathname === GRAPHQL_PATH
    ? '/graphql'
    : nameRepository(context, pathname.slice(PREFIX.length) || '/');
}

/** Handles a request below `/api/v3`, or of GraphQL. */
export async function serveApi(
  parts: ApiParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { context, limits } = parts;
  const url = new URL(request.url ?? '/', context.url);
  const path = pathOf(context, url.pathname);
  const method = request.method ?? 'GET';
  let caller: ForgeCaller = { kind: 'anonymous', key: 'anonymous' };
  let result: RouteResult;
  try {
    const body = await readJsonBody(request);
    const credential = kindOf(request.headers.authorization);
    parts.onRequest({ method, path, query: url.searchParams, body, credential });
    const strike = context.faults.strikeRequest('api', method, path, credential);
    const fault = await applyRequestFault(strike, context.now());
    if (fault) result = fault;
    else {
      caller = await identifyCaller(context, readCredential(request.headers.authorization));
      const rest = { context, caller, method, query: url.searchParams, headers: request.headers, url, body };
      if (path === '/rate_limit' && method === 'GET') {
        const core = limits.describe(caller.key, context.now());
        result = { status: 200, body: { resources: { core, search: core }, rate: core } };
      } else {
        limits.spend(caller.key, context.now());
        const match = findRoute(method, path);
        if (!match) parts.onUnexpected({ method, path: path + url.search, body });
        result = match
          ? await runRoute(match, rest)
          : {
              status: 501,
              body: {
                message: `The sandbox does not know ${method} ${path}.`,
                documentation_url: '',
                status: '501',
              },
            };
      }
      if (strike?.kind === 'lost-answer') result = lostAnswer;
    }
  } catch (error) {
    result = errorResult(error);
    if (!(error instanceof ForgeApiError))
      process.emitWarning(error instanceof Error ? error : String(error));
  }
  const tag = entityTag(method, result);
  if (tag !== null && request.headers['if-none-match'] === tag) {
    limits.refund(caller.key, context.now());
    result = { status: 304 };
  }
  parts.onResponse(method, path + url.search, result.status);
  send(response, result, {
    ...limits.headers(caller.key, context.now()),
    ...(tag !== null && { etag: tag, 'cache-control': 'private, max-age=60, s-maxage=60' }),
  });
}

/** The kind of a credential by its form alone: it is verified later, after faults strike. */
function kindOf(authorization: string | undefined): ApiRequest['credential'] {
  const secret = authorization?.split(' ', 2)[1] ?? '';
  if (secret.startsWith('ghs_')) return 'installation';
  return secret.split('.').length === 3 ? 'app' : 'other';
}

function runRoute(match: RouteMatch, rest: Omit<Call, 'params'>): RouteResult | Promise<RouteResult> {
  const { route, params } = match;
  const call: Call = { ...rest, params };
  if ('needs' in route) return runRepositoryRoute(route, call);
  if (route.callers.includes(call.caller.kind)) return route.run(call);
  if (route.callers.includes('app')) throw new ForgeApiError(401, 'A JSON web token could not be decoded');
  throw call.caller.kind === 'anonymous'
    ? new ForgeApiError(401, 'Requires authentication')
    : notAccessible();
}

function runRepositoryRoute(route: RepositoryRoute, call: Call): RouteResult | Promise<RouteResult> {
  const { context, caller, params } = call;
  const repository = findRepository(context.data, params['owner'] ?? '', params['repo'] ?? '');
  if (!repository) return redirectFormerName(call);
  if (!canSee(context, caller, repository)) throw notFoundError();
  const [permission, level] = route.needs;
  if (!mayUse(context, caller, repository, permission, level)) {
    if (caller.kind === 'anonymous') throw new ForgeApiError(401, 'Requires authentication');
    throw caller.kind === 'user'
      ? new ForgeApiError(403, 'Must have push access to this repository.')
      : notAccessible();
  }
  return route.run({ ...call, repository });
}

/**
 * Points a request with a former name of a repository to its address by id.
 * https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#follow-redirects
 */
function redirectFormerName({ context, caller, params, url, method }: Call): RouteResult {
  const formerName = `${params['owner']}/${params['repo']}`;
  const repository = findRenamedRepository(context.data, formerName);
  if (!repository || !canSee(context, caller, repository)) throw notFoundError();
  const rest = url.pathname.slice(`${PREFIX}/repos/${formerName}`.length);
  const location = `${context.url}${PREFIX}/repositories/${repository.id}${rest}${url.search}`;
  const message = 'Moved Permanently';
  return { status: method === 'GET' ? 301 : 307, body: { message, url: location }, headers: { location } };
}

/** The path under `/repos/OWNER/NAME` of one under `/repositories/ID`; other paths stay as they are. */
function nameRepository({ data }: ForgeContext, path: string): string {
  const [prefix, id = '', rest = ''] = path.split(/^\/repositories\/(\d+)/);
  const repository = prefix === '' ? data.repositories.find((known) => known.id === Number(id)) : undefined;
  return repository === undefined ? path : `/repos/${fullNameOf(data, repository)}${rest}`;
}

/** The response to an error. A bug of the sandbox is a 500 without details. */
function errorResult(error: unknown): RouteResult {
  const known = error instanceof ForgeApiError ? error : new ForgeApiError(500, 'Server Error');
  return { status: known.status, body: known.body, headers: known.headers };
}

function entityTag(method: string, result: RouteResult): string | null {
  if (method !== 'GET' || result.status !== 200) return null;
  return `W/"${createHash('sha256').update(bytesOf(result)).digest('hex')}"`;
}

function bytesOf({ body }: RouteResult): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  return Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
}

function send(response: ServerResponse, result: RouteResult, headers: Record<string, string>): void {
  const bytes = bytesOf(result);
  response.writeHead(result.status, {
    ...(bytes.length > 0 && { 'content-type': 'application/json; charset=utf-8' }),
    ...(result.status !== 304 && result.status !== 204 && { 'content-length': String(bytes.length) }),
    'x-github-media-type': 'github.v3; format=json',
    'x-github-enterprise-version': '3.19.0',
    ...headers,
    ...result.headers,
  });
  response.end(bytes);
}
