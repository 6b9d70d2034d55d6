import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import type { TestPlatform } from './start-platform.ts';

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses?: Responses }>>>>;
  readonly components: { readonly schemas: object };
}
type Responses = Readonly<
  Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
>;

/** Where the platform's documents say otherwise than the client's description: an organization without rules has `inherit`. */
const OURS = {
  MergeRulesSpaceConfiguration: { $ref: '#/components/schemas/MergeRulesStandaloneConfiguration' },
  MergeRulesStandaloneConfiguration: {
    oneOf: ['Inherit', 'Rules', 'None'].map((name) => ({
      $ref: `#/components/schemas/MergeRulesConfiguration${name}`,
    })),
  },
};

/** Calls the platform as the published client does, and holds every answer against the client's own description. */
export interface PublishedClient {
  /** The operations that were called, such as `GET /orgs`. */
  readonly walked: ReadonlySet<string>;
  /** Calls an operation by the client's path, and returns the answer's body; of a stream, the values of its events. */
  call(
    method: string,
    path: string,
    request?: {
      /** The values of the path's parameters; `organizationId` is the platform's first one when absent. */
      readonly ids?: Readonly<Record<string, string>>;
      readonly body?: unknown;
      /** With its question mark. */
      readonly query?: string;
      readonly token?: string;
    },
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  ): Promise<any>;
}

/**
 * The client's description is not part of this repository: CLIENT_DESCRIPTION=…/spec/openapi.json says where it is. Tests
 * that need it are named `client-walk.test.ts`, and left out without it (vitest.config.ts).
 */
export function openPublishedClient({ api, organizationId }: TestPlatform): PublishedClient {
  const text = readFileSync(process.env['CLIENT_DESCRIPTION'] ?? '', 'utf8');
  const description = withNulls(JSON.parse(text)) as Described;
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true, logger: false });
  (addFormats as unknown as (ajv: Ajv) => void)(ajv);
  ajv.addSchema({ $id: 'client', components: { schemas: { ...description.components.schemas, ...OURS } } });
  const validators = new Map<string, ValidateFunction>();
  const walked = new Set<string>();

  return {
    walked,
    async call(method, path, { ids = {}, body, query = '', token } = {}) {
      const names: Readonly<Record<string, string>> = { organizationId, ...ids };
      const address = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => names[name] ?? '');
      const answer = await api(method, `${address}${query}`, {
        ...(body === undefined ? {} : { body }),
        ...(token === undefined ? {} : { token }),
      });
      const key = `${method} ${path} ${answer.status}`;
      const operation = description.paths[path]?.[method.toLowerCase()];
      expect(operation, `${method} ${path}`).toBeDefined();
      const response = operation?.responses?.[String(answer.status)];
      expect(response, `${key} ${JSON.stringify(answer.body)}`).toBeDefined();
      walked.add(`${method} ${path}`);
      const [[type, content] = []] = Object.entries(response?.content ?? {});
      if (content === undefined) return answer.body;
      const schema = JSON.parse(JSON.stringify(content.schema).replaceAll('"#/', '"client#/'));
      const validate = validators.get(key) ?? ajv.compile(schema);
      validators.set(key, validate);
      const isStream = type === 'text/event-stream';
      const values = isStream ? readEvents(String(answer.body)) : [answer.body];
      for (const value of values)
        expect(validate(value), `${key}: ${ajv.errorsText(validate.errors)}`).toBe(true);
      return isStream ? values : answer.body;
    },
  };
}

/** The values of a stream, as the client reads it: until the event `done`. */
function readEvents(text: string): readonly unknown[] {
  const events = text
    .trim()
    .split('\n\n')
    .map((event) => /^event: (\w+)\ndata: (.*)$/.exec(event)?.slice(1) ?? ['', event]);
  expect(events.map(([name]) => name)).toEqual([...events.slice(1).map(() => 'message'), 'done']);
  return events.slice(0, -1).map(([, data = '']) => JSON.parse(data));
}

/** OpenAPI 3.0 writes “or null” as a keyword of its own. */
function withNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNulls);
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, ...rest } = value as Record<string, unknown>;
  const plain = Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, withNulls(inner)]));
  return nullable === true ? { anyOf: [plain, { type: 'null' }] } : plain;
}
