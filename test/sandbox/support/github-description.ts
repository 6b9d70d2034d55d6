/** GitHub's own description of its API and webhooks, as validators. */
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { findOperation, gitHubDescription, resolveRef } from '../../support/github/description.ts';

const REF = '#/components/schemas/';
const description = gitHubDescription();

const ROOT = 'https://api.github.com/description';
const ajv = new Ajv({
  strict: false,
  allErrors: true,
  logger: false,
  validateSchema: false,
  inlineRefs: false,
});
addFormats.default(ajv);
// Added once, so that what several answers share is compiled once.
ajv.addSchema({ $id: ROOT, components: { schemas: translate(description.components.schemas) } });
const validators = new Map<string, ValidateFunction>();

/** OpenAPI 3.0 says `nullable`; JSON Schema says so in the type. */
function translate(node: unknown): unknown {
  if (Array.isArray(node)) return node.map((item) => translate(item));
  if (typeof node !== 'object' || node === null) return node;
  // Examples are data, and look like schemas.
  const { nullable, example: _example, examples: _examples, ...rest } = node as Record<string, unknown>;
  const plain = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, translateKeyword(key, value)]),
  );
  return nullable === true ? { anyOf: [plain, { type: 'null' }] } : plain;
}

function translateKeyword(key: string, value: unknown): unknown {
  if (key === '$ref' && typeof value === 'string') return ROOT + value;
  // A property may itself be called "nullable" or "example".
  if (key !== 'properties' || typeof value !== 'object' || value === null) return translate(value);
  return Object.fromEntries(Object.entries(value).map(([name, candidate]) => [name, translate(candidate)]));
}

function validatorFor(key: string, schema: object): ValidateFunction {
  const known = validators.get(key) ?? ajv.compile(translate(schema) as object);
  validators.set(key, known);
  return known;
}

function problemsOf(validate: ValidateFunction, value: unknown): string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    (error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
  );
}

/** Where a payload differs from GitHub's schema for the event. */
export function webhookProblems(event: string, action: string | null, payload: unknown): string[] {
  const name = ['webhook', event, action].filter(Boolean).join('-').replaceAll('_', '-');
  if (!description.components.schemas[name]) return [`GitHub describes no ${name}`];
  return problemsOf(validatorFor(name, { $ref: REF + name }), payload);
}

/**
 * Places where the description contradicts itself. The list of installations wants an account that is a user and an
 * enterprise at once; one installation has the right shape.
 */
const corrections: Readonly<Record<string, object>> = {
  'GET /app/installations 200': { type: 'array', items: { $ref: `${REF}installation` } },
};

/** Where an answer differs from what GitHub describes for this operation and status. `path` is without query. */
export function answerProblems(method: string, path: string, status: number, body: unknown): string[] {
  const found = findOperation(method, path);
  if (!found) return [`GitHub describes no ${method} ${path}`];
  if (status === 304 || status === 204) return [];
  const answer = found.operation.responses[status];
  const resolved = answer?.$ref ? (resolveRef(answer.$ref) as typeof answer) : answer;
  const key = `${method} ${found.template} ${status}`;
  if (!resolved) {
    // Operations name few of the errors that every operation has; those have the common shape.
    return status >= 400
      ? problemsOf(validatorFor('basic-error', { $ref: `${REF}basic-error` }), body)
      : [`GitHub describes no ${key}`];
  }
  const schema = corrections[key] ?? resolved.content?.['application/json']?.schema;
  return schema ? problemsOf(validatorFor(key, schema), body) : [];
}
