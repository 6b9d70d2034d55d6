import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { errorsOutsideOperations } from '../../src/contract/index.ts';

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
}

export interface ApiRequest {
  /** Absent: the platform's administrator. Null: none. */
  readonly token?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type ApiCaller = (method: string, path: string, request?: ApiRequest) => Promise<ApiAnswer>;

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: unknown;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly headers?: object;
        readonly 'x-reasons'?: readonly string[];
        readonly content?: Readonly<Record<string, unknown>>;
      }
    >
  >;
}

type AnswerCheck = (method: string, path: string, answer: ApiAnswer) => void;

/** The platforms of a test worker describe the same operations, so the first one's schemas are compiled for all. */
let answerCheck: Promise<AnswerCheck> | undefined;

async function readAnswerCheck(url: string): Promise<AnswerCheck> {
  const response = await fetch(`${url}/v1/openapi.json`);
  return createAnswerCheck((await response.json()) as Description);
}

/**
 * Calls the API below `/v1` with plain `fetch`. An answer that its OpenAPI description does not have is an error, and so
 * is an internal error, with what the platform's log has about it.
 */
export function createApiCaller(url: string, adminToken: string, log: readonly string[]): ApiCaller {
  return async (method, path, request = {}) => {
    const token = request.token === undefined ? adminToken : request.token;
    const answer = await fetch(`${url}/v1${path}`, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...(request.body === undefined
        ? {}
        : { body: typeof request.body === 'string' ? request.body : JSON.stringify(request.body) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json');
    const body = text === '' ? undefined : isJson ? JSON.parse(text) : text;
    if (answer.status === 500) {
      const requestId = answer.headers.get('x-request-id');
      const lines = log.filter((line) => requestId !== null && line.includes(requestId));
      throw new Error([`${method} ${path} answers 500: ${text}`, ...lines].join('\n'));
    }
    const checked = { status: answer.status, headers: answer.headers, body };
    answerCheck ??= readAnswerCheck(url);
    (await answerCheck)(method, path, checked);
    return checked;
  };
}

function createAnswerCheck(description: Description): AnswerCheck {
  // What several answers share is compiled once, and not into each of them; optimized code would take longer to make than
  // it saves here. That the description is one of OpenAPI the tests of the contract prove.
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    inlineRefs: false,
    validateSchema: false,
    code: { optimize: false },
  });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'api', ...description });
  const templates = Object.keys(description.paths).map((template) => ({
    template,
    pattern: new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));

  // A schema is known by its object, so what was compiled is kept here.
  const validators = new Map<string, ValidateFunction>();
  const validatorOf = (pointer: string): ValidateFunction => {
    const known = validators.get(pointer) ?? ajv.compile({ $ref: `api#/${pointer}` });
    validators.set(pointer, known);
    return known;
  };

  return (method, path, { status, headers, body }) => {
    const plain = (path.split('?')[0] ?? '').replace(/(?<=.)\/$/, '');
    const template = templates.find((one) => one.pattern.test(plain))?.template;
    const operation =
      template === undefined ? undefined : description.paths[template]?.[method.toLowerCase()];
    const { code, reason = '' } =
      (body as { error?: { code?: number; reason?: string } } | undefined)?.error ?? {};
    // A request that reaches no operation is answered with the error body all the same.
    const isOutside = (errorsOutsideOperations as readonly string[]).includes(reason) && code === status;
    if (isOutside) return;
    if (template === undefined || !operation) {
      if (code !== 404 || reason !== 'not-found') throw new Error(`${method} ${path} is not described`);
      return;
    }
    const described = operation.responses[status];
    if (!described) throw new Error(`${operation.operationId} does not describe the status ${status}`);
    if (status >= 400 && !described['x-reasons']?.includes(reason)) {
      throw new Error(`${operation.operationId} does not describe the error ${status} ${reason}`);
    }
    for (const name of Object.keys(described.headers ?? {})) {
      if (!headers.get(name)) throw new Error(`${operation.operationId} answers ${status} without ${name}`);
    }
    if (!described.content) {
      if (body !== undefined) throw new Error(`${operation.operationId} answers ${status} with a body`);
      return;
    }
    // The bytes of a file are of any form.
    const { schema } = (described.content['application/json'] ?? {}) as { schema?: { $ref?: string } };
    if (schema === undefined) return;
    const pointer = ['paths', template, method.toLowerCase(), 'responses', String(status), 'content'];
    const escaped = [...pointer, 'application/json', 'schema'].map((part) =>
      encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')),
    );
    // What is only a reference, as all errors are, is compiled once for all operations.
    const validate = validatorOf(schema.$ref?.replace('#/', '') ?? escaped.join('/'));
    if (!validate(body)) {
      throw new Error(
        `${operation.operationId} answers ${status} with ${JSON.stringify(body).slice(0, 500)}: ${ajv.errorsText(validate.errors)}`,
      );
    }
  };
}
