/** What is wrong with a request by GitHub's own description, and by the limits that its documentation names. */
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { ApiRequest } from '../../../src/sandbox/index.ts';
import { type FoundOperation, findOperation, type Parameter, resolveRef } from './description.ts';

const ajv = new Ajv({
  strict: false,
  allErrors: true,
  logger: false,
  validateSchema: false,
  coerceTypes: false,
});
addFormats.default(ajv);
/** Those of paths and queries come as text. */
const ajvOfTexts = new Ajv({ strict: false, logger: false, validateSchema: false, coerceTypes: true });
addFormats.default(ajvOfTexts);

/** Compiled when an operation is first called: most never are. */
const checks = new Map<string, OperationCheck>();

interface OperationCheck {
  readonly parameters: ReadonlyMap<string, Parameter & { readonly validate: ValidateFunction }>;
  readonly body: { readonly validate: ValidateFunction; readonly known: ReadonlySet<string> | null } | null;
  readonly needsBody: boolean;
}

/** Sentences; empty for a request that GitHub would take. */
export function requestProblems({
  method,
  path,
  query,
  body,
}: Omit<ApiRequest, 'credential'>): readonly string[] {
  // Its description is of the REST API.
  if (path === '/graphql') return [];
  const found = findOperation(method, path);
  if (found === null) return [`GitHub has no ${method} ${path}`];
  const check = checkOf(found);
  const problems: string[] = [];
  for (const [name, value] of Object.entries(found.pathParameters)) {
    problems.push(...valueProblems(check, 'path', name, decodeURIComponent(value)));
  }
  for (const [name, value] of query) problems.push(...valueProblems(check, 'query', name, value));
  for (const [key, { required }] of check.parameters) {
    const name = key.slice('query '.length);
    if (required === true && key.startsWith('query ') && !query.has(name))
      problems.push(`?${name} is missing`);
  }
  problems.push(...bodyProblems(check, body), ...limitProblems(found, body));
  return problems.map((problem) => `${method} ${found.template}: ${problem}`);
}

function checkOf(found: FoundOperation): OperationCheck {
  const key = `${found.method} ${found.template}`;
  const known = checks.get(key) ?? compile(found);
  checks.set(key, known);
  return known;
}

function compile({ operation }: FoundOperation): OperationCheck {
  const parameters = (operation.parameters ?? []).map((parameter) =>
    '$ref' in parameter ? (resolveRef(parameter.$ref) as Parameter) : parameter,
  );
  const schema = operation.requestBody?.content?.['application/json']?.schema;
  const plain = schema === undefined ? null : (translate(schema) as Record<string, unknown>);
  return {
    parameters: new Map(
      parameters.map((parameter) => [
        `${parameter.in} ${parameter.name}`,
        {
          ...parameter,
          validate: ajvOfTexts.compile({
            type: 'object',
            properties: { value: translate(parameter.schema) },
          }),
        },
      ]),
    ),
    body: plain === null ? null : { validate: ajv.compile(plain), known: namesOf(plain) },
    needsBody: operation.requestBody?.required === true,
  };
}

/** OpenAPI 3.0 says `nullable`; JSON Schema says so in the type. What is referred to is put in its place. */
function translate(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(translate);
  if (typeof node !== 'object' || node === null) return node;
  if ('$ref' in node && typeof node.$ref === 'string') return translate(resolveRef(node.$ref));
  const { nullable, example: _example, examples: _examples, ...rest } = node as Record<string, unknown>;
  const plain = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [
      key,
      // A property may itself be called "nullable" or "example".
      key === 'properties' ? mapValues(value as Record<string, unknown>, translate) : translate(value),
    ]),
  );
  return nullable === true ? { anyOf: [plain, { type: 'null' }] } : plain;
}

function mapValues(object: Record<string, unknown>, change: (value: unknown) => unknown) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

/** The keys that a body may have; null where any may stand. GitHub passes over others in silence, which hides mistakes. */
function namesOf(schema: Record<string, unknown>): ReadonlySet<string> | null {
  if (typeof schema['properties'] !== 'object' || schema['additionalProperties'] === true) return null;
  return new Set(Object.keys(schema['properties'] as object));
}

function valueProblems(
  check: OperationCheck,
  place: 'path' | 'query',
  name: string,
  value: string,
): string[] {
  const parameter = check.parameters.get(`${place} ${name}`);
  if (parameter === undefined) return [`there is no parameter ${name} in the ${place}`];
  if (parameter.validate({ value })) return [];
  return [`${name} in the ${place}: ${ajvOfTexts.errorsText(parameter.validate.errors)}`];
}

function bodyProblems({ body: check, needsBody }: OperationCheck, body: unknown): string[] {
  if (body === undefined) return needsBody ? ['the body is missing'] : [];
  // Clients send an empty object with every POST.
  if (check === null) return Object.keys(body as object).length === 0 ? [] : ['there must be no body'];
  const { validate, known } = check;
  const problems = validate(body) ? [] : [ajv.errorsText(validate.errors, { dataVar: 'body' })];
  const names = typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.keys(body) : [];
  return [
    ...problems,
    ...names.filter((name) => known?.has(name) === false).map((name) => `body/${name} is unknown`),
  ];
}

interface CheckRunBody {
  readonly output?: {
    readonly title?: string;
    readonly annotations?: readonly {
      readonly start_line: number;
      readonly end_line: number;
      readonly start_column?: number;
      readonly end_column?: number;
      readonly message: string;
      readonly title?: string;
    }[];
  };
}

/**
 * Limits that the description tells in words only.
 * https://docs.github.com/rest/checks/runs https://docs.github.com/rest/commits/statuses
 */
function limitProblems({ method, template }: FoundOperation, body: unknown): string[] {
  if (method === 'GET' || typeof body !== 'object' || body === null) return [];
  if (template.endsWith('/statuses/{sha}')) {
    const { description, target_url: url } = body as { description?: string; target_url?: string };
    return [
      ...((description?.length ?? 0) > 140 ? ['body/description is longer than 140 characters'] : []),
      ...(url !== undefined && !/^https?:\/\//.test(url) ? ['body/target_url is no web address'] : []),
    ];
  }
  if (!template.includes('/check-runs')) return [];
  const { title, annotations = [] } = (body as CheckRunBody).output ?? {};
  return [
    ...((title?.length ?? 0) > 255 ? ['body/output/title is longer than 255 characters'] : []),
    ...annotations.flatMap((annotation, at) => {
      const where = `body/output/annotations/${at}`;
      const hasColumns = annotation.start_column !== undefined || annotation.end_column !== undefined;
      return [
        ...(Buffer.byteLength(annotation.message) > 64 * 1024
          ? [`${where}/message is larger than 64 KB`]
          : []),
        ...((annotation.title?.length ?? 0) > 255 ? [`${where}/title is longer than 255 characters`] : []),
        ...(annotation.start_line < 1 || annotation.end_line < annotation.start_line
          ? [`${where} has no lines`]
          : []),
        ...(hasColumns && annotation.start_line !== annotation.end_line
          ? [`${where} has columns over several lines`]
          : []),
      ];
    }),
  ];
}
