import type { ForgeContext } from '../forge-context.ts';
import type { AccountRecord, GrantedLevel, RepositoryRecord } from '../state/records.ts';
import { ForgeApiError } from './api-error.ts';
import { actingAccount, type ForgeCaller } from './caller.ts';

/** One request on its way to a route. */
export interface Call {
  readonly context: ForgeContext;
  readonly caller: ForgeCaller;
  readonly method: string;
  /** Decoded parts of the path by name. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The address asked for, for links to other pages. */
  readonly url: URL;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
}

export interface RepositoryCall extends Call {
  /** The repository of the path, which the caller may use in the way that the route needs. */
  readonly repository: RepositoryRecord;
}

export interface RouteAnswer {
  readonly status: number;
  /** JSON, or bytes as they are; undefined for none. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface RouteHead {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** `:name` takes one segment, `*name` as a last part takes all the rest. */
  readonly path: string;
}

/** A route about the App, an installation or a user. */
export interface PlainRoute extends RouteHead {
  /** Who may call; others get a 401. */
  readonly callers: readonly ForgeCaller['kind'][];
  readonly run: (call: Call) => RouteAnswer | Promise<RouteAnswer>;
}

/** A route below `/repos/:owner/:repo`. */
export interface RepositoryRoute extends RouteHead {
  /** The permission that an installation's token needs, and how much of it a user needs on the repository. */
  readonly needs: readonly [permission: string, level: GrantedLevel];
  readonly run: (call: RepositoryCall) => RouteAnswer | Promise<RouteAnswer>;
}

export type Route = PlainRoute | RepositoryRoute;

/** The account that a call acts as. Throws a 401 for a caller without one. */
export function requireAccount(call: Call): AccountRecord {
  const account = actingAccount(call.caller);
  if (!account) throw new ForgeApiError(401, 'Requires authentication');
  return account;
}

/** A number of the path. What is no number names nothing, so it is a 404. */
export function numberParam(call: Call, name: string): number {
  const text = call.params[name] ?? '';
  if (!/^\d{1,15}$/.test(text)) throw new ForgeApiError(404, 'Not Found');
  return Number(text);
}

export function ok(body: unknown): RouteAnswer {
  return { status: 200, body };
}

export function created(body: unknown): RouteAnswer {
  return { status: 201, body };
}
