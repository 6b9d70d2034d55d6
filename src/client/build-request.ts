import { type AnyOperation, isNothing, paramNames } from '../contract/index.ts';

/** The input of any call; the types of `call` say what an operation needs. */
export interface CallInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** The address and body of a call. Throws a TypeError when a parameter of the path is missing or empty. */
export function buildRequest(
  baseUrl: string,
  operation: AnyOperation,
  input: CallInput,
): { url: string; body: string | undefined } {
  let path: string = operation.path;
  for (const name of paramNames(path)) {
    const value = input.params?.[name];
    // An empty or dotted segment would name another operation's address.
    if (!value || value === '.' || value === '..') {
      throw new TypeError(`${operation.id} needs params.${name}, but got ${JSON.stringify(value)}.`);
    }
    path = path.replace(`:${name}`, () => encodeURIComponent(value));
  }
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries((input.query ?? {}) as Record<string, unknown>)) {
    if (value === undefined) continue;
    for (const item of [value].flat()) query.append(name, String(item));
  }
  const search = query.size > 0 ? `?${query}` : '';
  return {
    url: `${baseUrl.replace(/\/+$/, '')}/v1${path}${search}`,
    body: isNothing(operation.body) ? undefined : JSON.stringify(input.body ?? {}),
  };
}
