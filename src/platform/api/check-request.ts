import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import Value from 'typebox/value';
import { type AnyOperation, isNothing } from '../../contract/index.ts';
import { type ErrorDetail, invalidRequest, notFound } from './api-error.ts';

/** A request that matches its operation's schemas. */
export interface CheckedRequest {
  readonly params: Record<string, string>;
  readonly query: unknown;
  readonly body: unknown;
}

/** Compiles the check of an operation's requests, which throws an `ApiError` that names every invalid field. */
export function compileRequestCheck(
  operation: AnyOperation,
): (request: { params: unknown; query: unknown; body: unknown }) => CheckedRequest {
  const query = Compile(operation.query as TSchema);
  const hasBody = !isNothing(operation.body);
  const body = Compile(operation.body as TSchema);

  return (request) => {
    const params = request.params as Record<string, string>;
    for (const [name, value] of Object.entries(params)) {
      // No server generates such an id, so no query is needed.
      const isPossible = name.endsWith('Path') ? isPagePath(value) : /^[A-Za-z0-9_-]{1,100}$/.test(value);
      if (!isPossible) throw notFound('resource with such an id');
    }
    // Everything in a query is text; numbers and booleans are parsed where the schema has them.
    const converted = Value.Convert(operation.query as TSchema, request.query ?? {});
    const details = query.Check(converted) ? [] : describeErrors('query', query.Errors(converted));
    if (hasBody) {
      const sent = request.body ?? undefined;
      if (!body.Check(sent)) details.push(...describeErrors('body', body.Errors(sent)));
      else if (hasUnstorable(sent))
        details.push({ path: '/body', message: 'contains a character that cannot be stored (U+0000)' });
    } else if (isFilled(request.body)) {
      details.push({ path: '/body', message: 'must be left out: this operation accepts no body' });
    }
    if (details.length > 0) throw invalidRequest(details);
    return { params, query: converted, body: request.body };
  };
}

/** The path of a page in its space may contain any character that a file name can. */
function isPagePath(value: string): boolean {
  return value.length <= 4_000 && !hasUnstorable(value);
}

function isFilled(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return body !== undefined && body !== null;
  return Object.keys(body).length > 0;
}

function hasUnstorable(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed();
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => hasUnstorable(key) || hasUnstorable(inner));
}

interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
}

/** At most 20 errors: a thousand lines about a body with a thousand mistakes help nobody. */
function describeErrors(part: 'query' | 'body', errors: readonly SchemaError[]): ErrorDetail[] {
  return errors.flatMap((error) => describeError(part, error)).slice(0, 20);
}

function describeError(part: string, error: SchemaError): ErrorDetail[] {
  const params = error.params as Record<string, unknown>;
  const at = `/${part}${error.instancePath}`;
  const each = (names: unknown, message: string) =>
    (names as readonly string[]).map((name) => ({ path: `${at}/${escapePointer(name)}`, message }));
  switch (error.keyword) {
    // Reported better by `additionalProperties`.
    case 'boolean':
      return [];
    case 'additionalProperties':
      return each(params['additionalProperties'], 'is not known here');
    case 'required':
      return each(params['requiredProperties'], 'is missing');
    case 'enum':
      return [{ path: at, message: `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}` }];
    case 'type':
      return [
        {
          path: at,
          message: `must be ${String(params['type'])
            .replace(/^(?=[aeiou])/, 'an ')
            .replace(/^(?!an )/, 'a ')}`,
        },
      ];
    default:
      return [{ path: at, message: error.message }];
  }
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
