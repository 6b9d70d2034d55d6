import type {
  BodyView,
  ContentView,
  FieldView,
  OperationView,
  ParameterView,
  ResponseView,
} from '../content/render/index.ts';
import type {
  Api,
  ApiBody,
  ApiContent,
  ApiHeader,
  ApiOperation,
  ApiParameter,
  ApiResponse,
  ApiServer,
  SecurityRequirement,
} from './api-model.ts';
import { describeAccess } from './describe-access.ts';
import { type BodyDirection, describeField, describeFields, MAX_FIELDS } from './describe-fields.ts';
import { isObject } from './pointer.ts';
import type { Resolve } from './resolve-reference.ts';
import { viewSchema } from './schema-view.ts';
import { MAX_CELL_LENGTH, shortenText } from './shorten-text.ts';

const MAX_DESCRIPTION_LENGTH = 20_000;

const MAX_SERVERS = 10;

/** Of one server. */
const MAX_VARIABLES = 5;

/** That readers choose from, and the length of each in UTF-16 code units. */
const MAX_VALUES = 30;
const MAX_VALUE_LENGTH = 100;

/** Of one operation. */
const MAX_CALLBACKS = 5;

/** Of one body, in UTF-16 code units each. */
const MAX_EXAMPLES = 5;
const MAX_EXAMPLE_LENGTH = 4_000;

/** Of all examples of one operation, in UTF-16 code units. */
const MAX_EXAMPLES_LENGTH = 30_000;

/** Raised when operations are described differently, so that stored descriptions are made again. */
export const DESCRIPTION_VERSION = 1;

/** What readers see of one operation; its size is bounded, whatever the description contains. */
export function describeOperation(operation: ApiOperation, api: Api, resolve: Resolve): OperationView {
  const describer = new Describer(resolve);
  return {
    method: operation.method,
    path: operation.path,
    title: shortenText(
      operation.summary || operation.id || `${operation.method} ${operation.path}`,
      MAX_CELL_LENGTH,
    ),
    description: shortenText(operation.description, MAX_DESCRIPTION_LENGTH),
    isDeprecated: operation.isDeprecated,
    tags: operation.tags,
    servers: operation.servers.slice(0, MAX_SERVERS).map(({ url }) => url),
    serverChoices: operation.servers.slice(0, MAX_SERVERS).map(describeServer),
    security: describeSecurity(operation.security, api),
    access: describeAccess(operation.security, api),
    parameters: operation.parameters
      .slice(0, MAX_FIELDS)
      .map((parameter) => describeParameter(parameter, api.version, resolve)),
    body: describer.body(operation.body, 'request'),
    responses: describer.responses(operation.responses, 'response'),
    callbacks: operation.callbacks.slice(0, MAX_CALLBACKS).map(({ name, operation: called }) => ({
      name: shortenText(name, 200),
      method: called.method,
      path: shortenText(called.path, MAX_CELL_LENGTH),
      description: shortenText(called.description || called.summary, MAX_CELL_LENGTH),
      body: describer.body(called.body, 'response'),
      responses: describer.responses(called.responses, 'request'),
    })),
  };
}

/** What readers see of a request that the API sends to them. */
export function describeWebhook(operation: ApiOperation, api: Api, resolve: Resolve): OperationView {
  return { ...describeOperation(operation, api, resolve), servers: [], serverChoices: [], isWebhook: true };
}

/** The parts of one operation, which share what room there is for examples. */
class Describer {
  readonly #resolve: Resolve;
  #examplesLeft = MAX_EXAMPLES_LENGTH;

  constructor(resolve: Resolve) {
    this.#resolve = resolve;
  }

  body(body: ApiBody | null, direction: BodyDirection): BodyView | null {
    return (
      body && {
        description: shortenText(body.description, MAX_CELL_LENGTH),
        isRequired: body.isRequired,
        contents: this.#contents(body.contents, direction),
      }
    );
  }

  responses(responses: readonly ApiResponse[], direction: BodyDirection): ResponseView[] {
    return responses.slice(0, 50).map(({ status, description, headers, contents }) => ({
      status,
      description: shortenText(description, MAX_CELL_LENGTH),
      headers: headers.slice(0, 50).map((header) => describeHeader(header, this.#resolve)),
      contents: this.#contents(contents, direction),
    }));
  }

  #contents(contents: readonly ApiContent[], direction: BodyDirection): ContentView[] {
    return contents.slice(0, 10).map(({ mediaType, schema, examples }) => {
      const written = this.#examples(examples);
      return {
        mediaType,
        type: describeField('', schema, 0, this.#resolve).type,
        ...describeFields(schema, direction, this.#resolve),
        ...(written.length === 0 ? {} : { examples: written }),
      };
    });
  }

  #examples(examples: ApiContent['examples']): NonNullable<ContentView['examples']> {
    return examples.slice(0, MAX_EXAMPLES).flatMap(({ name, value }) => {
      const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
      // Half of an example is none.
      if (text === '' || text.length > Math.min(MAX_EXAMPLE_LENGTH, this.#examplesLeft)) return [];
      this.#examplesLeft -= text.length;
      return [{ name: shortenText(name, 100), value: text }];
    });
  }
}

/** How lists are joined in Swagger 2.0, in the words of later versions. */
const COLLECTION_FORMATS: Readonly<Record<string, string>> = {
  multi: 'form true',
  ssv: 'spaceDelimited false',
  pipes: 'pipeDelimited false',
};

function describeParameter(
  parameter: ApiParameter,
  version: Api['version'],
  resolve: Resolve,
): ParameterView {
  const field = describeField(parameter.name, parameter.schema, 0, resolve);
  const isSimple = !/^(?:array|map) of |^object|^[A-Z]/.test(field.type);
  const [kind, explode, , format = ''] = parameter.style.split(' ');
  const style = version === '2.0' ? (COLLECTION_FORMATS[format] ?? 'form false') : `${kind} ${explode}`;
  const { values } = viewSchema(parameter.schema, resolve);
  return {
    in: parameter.in,
    ...field,
    ...(values === null || values.length > MAX_VALUES ? {} : { values: values.map(textOfValue) }),
    ...(isSimple ? {} : { style }),
    isRequired: parameter.isRequired,
    isDeprecated: parameter.isDeprecated,
    ...(parameter.description === ''
      ? {}
      : { description: shortenText(parameter.description, MAX_CELL_LENGTH) }),
  };
}

function textOfValue(value: unknown): string {
  return shortenText(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), MAX_VALUE_LENGTH);
}

function describeHeader(header: ApiHeader, resolve: Resolve): FieldView {
  return {
    ...describeField(header.name, header.schema, 0, resolve),
    isRequired: header.isRequired,
    ...(header.description === '' ? {} : { description: shortenText(header.description, MAX_CELL_LENGTH) }),
  };
}

function describeServer({ url, description, variables }: ApiServer) {
  return {
    url: shortenText(url, 2_000),
    description: shortenText(description, MAX_CELL_LENGTH),
    variables: variables.slice(0, MAX_VARIABLES).map((variable) => ({
      name: shortenText(variable.name, 100),
      initial: shortenText(variable.initial, MAX_VALUE_LENGTH),
      values: variable.values.slice(0, MAX_VALUES).map(textOfValue),
      description: shortenText(variable.description, MAX_CELL_LENGTH),
    })),
  };
}

function describeSecurity(requirements: readonly SecurityRequirement[], api: Api): string[] {
  if (requirements.some((requirement) => requirement.size === 0)) return [];
  return requirements.slice(0, 10).map((requirement) =>
    [...requirement]
      .map(([name, scopes]) => {
        const { value } = api.securitySchemes.get(name) ?? {};
        const { type, in: location, name: field, scheme } = isObject(value) ? value : {};
        const how = [type, scheme, location, field].filter((part) => typeof part === 'string').join(' ');
        const label = how === '' ? name : `${name} (${how})`;
        return scopes.length === 0 ? label : `${label} with the scopes ${scopes.join(', ')}`;
      })
      .join(' and '),
  );
}
