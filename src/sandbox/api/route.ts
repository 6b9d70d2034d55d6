import type { ForgeContext } from '../forge-context.ts';
import type { AccountRecord, ActiveApp, GrantedLevel, RepositoryRecord } from '../state/records.ts';
import { badCredentials, ForgeApiError } from './api-error.ts';
import { actingAccount, type ForgeCaller } from './caller.ts';

/** A request, as it is passed to a route. */
export interface Call {
  readonly context: ForgeContext;
  readonly caller: ForgeCaller;
  readonly method: string;
  /** Decoded parts of the path by name. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The requested address, for links to other pages. */
  readonly url: URL;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
}

export interface RepositoryCall extends Call {
  /** The repository of the path, for which the caller has the permission that the route needs. */
  readonly repository: RepositoryRecord;
}

export interface RouteResult {
  readonly status: number;
  /** JSON, or bytes as they are; undefined for none. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface RouteHead {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** `:name` matches a segment, `*name` as the last part matches the rest. */
  readonly path: string;
}

/** A route about the App, an installation or a user. */
export interface PlainRoute extends RouteHead {
  /** The callers that are allowed; all others get a 401. */
  readonly callers: readonly ForgeCaller['kind'][];
  readonly run: (call: Call) => RouteResult | Promise<RouteResult>;
}

/** A route below `/repos/:owner/:repo`. */
export interface RepositoryRoute extends RouteHead {
  /** The permission that the caller needs on the repository, and its level. */
  readonly needs: readonly [permission: string, level: GrantedLevel];
  readonly run: (call: RepositoryCall) => RouteResult | Promise<RouteResult>;
}

export type Route = PlainRoute | RepositoryRoute;

/** The account that a call acts as. Throws a 401 for a caller without one. */
export function requireAccount(call: Call): AccountRecord {
  const account = actingAccount(call.caller);
  if (!account) throw new ForgeApiError(401, 'Requires authentication');
  return account;
}

/** A number of the path. Throws a 404 for anything else, which names nothing. */
export function numberParam(call: Call, name: string): number {
  const text = call.params[name] ?? '';
  if (!/^\d{1,15}$/.test(text)) throw new ForgeApiError(404, 'Not Found');
  return Number(text);
}

/** The App that a call authenticates as. Throws a 401 for other callers. */
export function requireAppCaller(call: Call): ActiveApp {
  if (call.caller.kind !== 'app') throw badCredentials();
  return call.caller.app;
}

export function ok(body: unknown): RouteResult {
  return { status: 200, body };
}

export function created(body: unknown): RouteResult {
  return { status: 201, body };
}
