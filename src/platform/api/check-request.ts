import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { type AnyOperation, isNothing, isTrimmed } from '../../contract/index.ts';
import { type ErrorDetail, invalidRequest, notFound } from './api-error.ts';
import { describeRequestErrors } from './describe-request-errors.ts';

/** A request that matches its operation's schemas. */
export interface CheckedRequest {
  readonly params: Record<string, string>;
  readonly query: unknown;
  readonly body: unknown;
}

type RequestCheck = (request: { params: unknown; query: unknown; body: unknown }) => CheckedRequest;

const checks = new WeakMap<AnyOperation, RequestCheck>();

/**
 * The check of an operation's requests, which throws an `ApiError` that names every invalid field. Like serializers, it
 * is compiled on first use.
 */
export function requestCheckOf(operation: AnyOperation): RequestCheck {
  let check = checks.get(operation);
  if (check === undefined) {
    check = compileRequestCheck(operation);
    checks.set(operation, check);
  }
  return check;
}

function compileRequestCheck(operation: AnyOperation): RequestCheck {
  const query = Compile(operation.query as TSchema);
  const hasBody = !isNothing(operation.body);
  const body = Compile(operation.body as TSchema);
  const trimmed = Object.entries(propertiesOf(operation.body as TSchema))
    .filter(([, schema]) => isTrimmed(schema))
    .map(([name]) => name);

  return (request) => {
    const params = request.params as Record<string, string>;
    for (const [name, value] of Object.entries(params)) {
      // No server generates such an id, so no query is needed.
      const isPossible = name.endsWith('Path')
        ? isPagePath(value)
        : (/(?:Domain|Source)$/.test(name) ? /^[\x21-\x7e]{1,253}$/ : /^[A-Za-z0-9_-]{1,100}$/).test(value);
      if (!isPossible) throw notFound('resource with such an id');
    }
    const unstorable = [
      ...describeUnstorable('query', request.query),
      ...(hasBody ? describeUnstorable('body', request.body) : []),
    ];
    // What nests without limit must not reach the functions that walk through it.
    if (unstorable.length > 0) throw invalidRequest(unstorable);
    const converted = parseQuery(operation.query as TSchema, request.query ?? {});
    const details = query.Check(converted)
      ? []
      : describeRequestErrors('query', operation.query as TSchema, query.Errors(converted));
    const sentBody = request.body ?? (operation.optionalBody ? {} : undefined);
    if (hasBody) {
      if (sentBody === undefined) details.push({ path: '/body', message: 'is missing: send a JSON object' });
      else if (!body.Check(sentBody))
        details.push(...describeRequestErrors('body', operation.body as TSchema, body.Errors(sentBody)));
    } else if (isFilled(request.body)) {
      details.push({ path: '/body', message: 'must be left out: this operation accepts no body' });
    }
    if (details.length > 0) throw invalidRequest(details);
    return { params, query: converted, body: trimFields(sentBody, trimmed) };
  };
}

/** Everything in a query is text; integers in decimal digits and booleans are parsed where the schema has them. */
function parseQuery(schema: TSchema, query: object): Record<string, unknown> {
  const properties = propertiesOf(schema);
  return Object.fromEntries(
    Object.entries(query).map(([name, text]) => [name, parseText(properties[name]?.type, text)]),
  );
}

function parseText(type: string | undefined, text: unknown): unknown {
  if (type === 'integer' && typeof text === 'string' && /^[0-9]{1,15}$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  // A list with one text: `?type=basic` beside `?type=basic&type=premium`.
  if (type === 'array' && typeof text === 'string') return [text];
  return text;
}

function propertiesOf(schema: TSchema): Readonly<Record<string, { readonly type?: string } | undefined>> {
  return (schema as { properties?: Record<string, { type?: string }> }).properties ?? {};
}

function trimFields(body: unknown, names: readonly string[]): unknown {
  if (names.length === 0 || typeof body !== 'object' || body === null) return body;
  const fields = Object.entries(body).map(([name, value]) => [
    name,
    names.includes(name) && typeof value === 'string' ? value.trim() : value,
  ]);
  return Object.fromEntries(fields);
}

/** The path of a page in its space may contain any character that a file name can. */
function isPagePath(value: string): boolean {
  return value.length <= 4_000 && !value.includes('\0') && value.isWellFormed();
}

function isFilled(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return body !== undefined && body !== null;
  return Object.keys(body).length > 0;
}

/** Levels of arrays and objects in a body; a document of 50 levels, the most that is accepted, has about 100. */
const MAX_NESTING = 200;

/** What the database cannot store: U+0000, halves of surrogate pairs, and what nests too deeply to be walked through. */
function describeUnstorable(part: 'query' | 'body', value: unknown): ErrorDetail[] {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_NESTING)
      return [{ path: `/${part}`, message: `must not be nested deeper than ${MAX_NESTING} levels` }];
    const next: unknown[] = [];
    for (const one of level) {
      if (typeof one === 'string' && (one.includes('\0') || !one.isWellFormed())) {
        const message = 'contains a character that cannot be stored (U+0000, or half of a surrogate pair)';
        return [{ path: `/${part}`, message }];
      }
      if (typeof one !== 'object' || one === null) continue;
      if (Array.isArray(one)) for (const item of one) next.push(item);
      else for (const [key, item] of Object.entries(one)) next.push(key, item);
    }
    level = next;
  }
  return [];
}
