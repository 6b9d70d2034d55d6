import type {
  Api,
  ApiBody,
  ApiCallback,
  ApiContent,
  ApiExample,
  ApiHeader,
  ApiOperation,
  ApiParameter,
  ApiResponse,
  ApiServer,
  SecurityRequirement,
} from './api-model.ts';
import type { SpecDocument } from './bundle-spec.ts';
import { isObject } from './pointer.ts';
import {
  createResolver,
  itemsOf,
  type Located,
  memberOf,
  membersOf,
  type Resolve,
  type Resolved,
} from './resolve-reference.ts';
import { METHODS } from './shapes.ts';
import { readVersion, type SpecVersion } from './spec-version.ts';

export interface ReadApi {
  readonly api: Api;
  readonly resolve: Resolve;
}

/** Reads a document that `readSpec` accepted and `bundleSpec` bundled. Unusable parts are left out; it never throws. */
export function readApi(document: SpecDocument): ReadApi {
  const resolve = createResolver(document);
  const read = readVersion(document);
  const version = 'version' in read ? read.version : '3.0';
  const reader = new Reader({ value: document, pointer: '' }, version, resolve);
  return { api: reader.read(), resolve };
}

class Reader {
  readonly #root: Located;
  readonly #version: SpecVersion;
  readonly #resolve: Resolve;
  readonly #defaults: Defaults;

  constructor(root: Located, version: SpecVersion, resolve: Resolve) {
    this.#root = root;
    this.#version = version;
    this.#resolve = resolve;
    this.#defaults = {
      security: memberOf(root, 'security'),
      servers: version === '2.0' ? hostsOf(root) : serversOf(root, resolve),
      consumes: textsOf(memberOf(root, 'consumes')),
      produces: textsOf(memberOf(root, 'produces')),
    };
  }

  read(): Api {
    const root = this.#root;
    const info = memberOf(root, 'info');
    const components = memberOf(root, 'components');
    const schemes =
      this.#version === '2.0'
        ? memberOf(root, 'securityDefinitions')
        : components && memberOf(components, 'securitySchemes');
    return {
      version: this.#version,
      title: textOf(info, 'title'),
      description: textOf(info, 'description'),
      servers: this.#defaults.servers.map(({ url }) => url),
      operations: this.#operationsOf(memberOf(root, 'paths')),
      webhooks: this.#operationsOf(memberOf(root, 'webhooks')),
      securitySchemes: new Map(
        membersOf(schemes, this.#resolve).map(([name, scheme]) => [name, this.#resolve(scheme)]),
      ),
      tags: new Map(
        itemsOf(memberOf(root, 'tags')).map((tag) => [textOf(tag, 'name'), textOf(tag, 'description')]),
      ),
    };
  }

  #operationsOf(paths: Located | undefined, isCallback = false): ApiOperation[] {
    return membersOf(paths, this.#resolve).flatMap(([path, node]) => {
      if (path.startsWith('x-')) return [];
      // A path item may have other fields next to a reference.
      const items = [node, this.#resolve(node)];
      const seen = new Set<string>();
      return items.flatMap((item) =>
        this.#methodsOf(item).flatMap(([method, operation]) => {
          if (seen.has(method)) return [];
          seen.add(method);
          if (!isObject(operation.value)) return [];
          const read = this.#operation(path, method, operation, item);
          return [isCallback ? read : { ...read, callbacks: this.#callbacks(operation) }];
        }),
      );
    });
  }

  #methodsOf(item: Located): (readonly [string, Located])[] {
    const known = METHODS.flatMap((method) => {
      const operation = memberOf(item, method);
      return operation ? [[method.toUpperCase(), this.#resolve(operation)] as const] : [];
    });
    const more = membersOf(memberOf(item, 'additionalOperations'), this.#resolve);
    return [
      ...known,
      ...more.map(([method, operation]) => [method.toUpperCase(), this.#resolve(operation)] as const),
    ];
  }

  #operation(path: string, method: string, node: Located, item: Located): ApiOperation {
    const parameters = new Map<string, Resolved>();
    for (const level of [item, node]) {
      for (const entry of itemsOf(memberOf(level, 'parameters'))) {
        const parameter = this.#resolve(entry);
        if (!isObject(parameter.value)) continue;
        parameters.set(`${textOf(parameter, 'in')} ${textOf(parameter, 'name')}`, parameter);
      }
    }
    const security = memberOf(node, 'security') ?? this.#defaults.security;
    const servers = serversOf(memberOf(node, 'servers') ? node : item, this.#resolve);
    return {
      method,
      path,
      pointer: node.pointer,
      id: textOf(node, 'operationId') || null,
      summary: textOf(node, 'summary') || textOf(item, 'summary'),
      description: textOf(node, 'description') || textOf(item, 'description'),
      isDeprecated: flagOf(node, 'deprecated'),
      tags: textsOf(memberOf(node, 'tags')),
      servers: servers.length > 0 ? servers : this.#defaults.servers,
      parameters: [...parameters.values()].flatMap((node) => this.#parameter(node)),
      body: this.#body(node, [...parameters.values()]),
      responses: membersOf(memberOf(node, 'responses'), this.#resolve).flatMap(([status, response]) =>
        status.startsWith('x-') ? [] : [this.#response(status, this.#resolve(response), node)],
      ),
      security: this.#security(security),
      securityPointer: security?.pointer ?? node.pointer,
      callbacks: [],
    };
  }

  /** A callback may refer to one that contains it, so the operations of callbacks have none. */
  #callbacks(operation: Located): ApiCallback[] {
    return membersOf(memberOf(operation, 'callbacks'), this.#resolve).flatMap(([name, callback]) =>
      this.#operationsOf(callback, true).map((called) => ({ name, operation: called })),
    );
  }

  #security(node: Located | undefined): SecurityRequirement[] {
    const requirements = itemsOf(node).map(
      (item) => new Map(membersOf(item, this.#resolve).map(([name, scopes]) => [name, textsOf(scopes)])),
    );
    return requirements.length > 0 ? requirements : [new Map()];
  }

  #parameter(node: Located): ApiParameter[] {
    const location = textOf(node, 'in');
    if (location === 'body' || location === 'formData') return [];
    const [, content] = membersOf(memberOf(node, 'content'), this.#resolve)[0] ?? [];
    // In Swagger 2.0 the parameter is its own schema.
    const schema =
      (content && memberOf(content, 'schema')) ??
      memberOf(node, 'schema') ??
      schemaOfParameter(node, this.#version);
    return [
      {
        name: textOf(node, 'name'),
        in: location,
        pointer: node.pointer,
        isRequired: flagOf(node, 'required'),
        isDeprecated: flagOf(node, 'deprecated'),
        description: textOf(node, 'description'),
        schema,
        style: styleOf(node, location),
      },
    ];
  }

  #body(operation: Located, parameters: readonly Resolved[]): ApiBody | null {
    if (this.#version === '2.0') return this.#bodyOfSwagger(operation, parameters);
    const member = memberOf(operation, 'requestBody');
    const node = member && this.#resolve(member);
    if (!node || !isObject(node.value)) return null;
    return {
      pointer: node.pointer,
      isRequired: flagOf(node, 'required'),
      description: textOf(node, 'description'),
      contents: this.#contents(node),
    };
  }

  #bodyOfSwagger(operation: Located, parameters: readonly Resolved[]): ApiBody | null {
    const consumed = textsOf(memberOf(operation, 'consumes'));
    const types = consumed.length > 0 ? consumed : this.#defaults.consumes;
    const body = parameters.find((parameter) => textOf(parameter, 'in') === 'body');
    const contentsOf = (schema: Located, mediaTypes: readonly string[]): ApiContent[] =>
      mediaTypes.map((mediaType) => ({ mediaType, pointer: schema.pointer, schema, examples: [] }));
    if (body) {
      const schema = memberOf(body, 'schema') ?? { value: undefined, pointer: body.pointer };
      return {
        pointer: body.pointer,
        isRequired: flagOf(body, 'required'),
        description: textOf(body, 'description'),
        contents: contentsOf(schema, types.length > 0 ? types : ['application/json']),
      };
    }
    const fields = parameters.filter((parameter) => textOf(parameter, 'in') === 'formData');
    if (fields.length === 0) return null;
    const value = {
      type: 'object',
      properties: Object.fromEntries(fields.map((field) => [textOf(field, 'name'), field.value])),
      required: fields.filter((field) => flagOf(field, 'required')).map((field) => textOf(field, 'name')),
    };
    const pointer = fields[0]?.pointer ?? operation.pointer;
    return {
      pointer,
      isRequired: value.required.length > 0,
      description: '',
      contents: contentsOf(
        { value, pointer },
        types.length > 0 ? types : ['application/x-www-form-urlencoded'],
      ),
    };
  }

  #contents(node: Located): ApiContent[] {
    return membersOf(memberOf(node, 'content'), this.#resolve).map(([mediaType, content]) => {
      const media = this.#resolve(content);
      const schema = memberOf(media, 'schema') ?? memberOf(media, 'itemSchema');
      const examples = this.#examples(media);
      return { mediaType, pointer: media.pointer, schema: schema ?? emptyAt(media.pointer), examples };
    });
  }

  #examples(media: Located): ApiExample[] {
    const single = memberOf(media, 'example');
    if (single) return [{ name: '', value: single.value }];
    return membersOf(memberOf(media, 'examples'), this.#resolve).flatMap(([name, node]) => {
      const example = this.#resolve(node);
      const value = memberOf(example, 'value') ?? memberOf(example, 'dataValue');
      return value ? [{ name: textOf(example, 'summary') || name, value: value.value }] : [];
    });
  }

  #response(status: string, node: Located, operation: Located): ApiResponse {
    const own = textsOf(memberOf(operation, 'produces'));
    const types = own.length > 0 ? own : this.#defaults.produces;
    const schema = this.#version === '2.0' ? memberOf(node, 'schema') : undefined;
    const contents = schema
      ? (types.length > 0 ? types : ['application/json']).map((mediaType) => ({
          mediaType,
          pointer: schema.pointer,
          schema,
          examples: exampleOfSwagger(node, mediaType),
        }))
      : this.#contents(node);
    return {
      status,
      pointer: node.pointer,
      description: textOf(node, 'description'),
      contents,
      headers: membersOf(memberOf(node, 'headers'), this.#resolve).map(([name, header]) =>
        this.#header(name, this.#resolve(header)),
      ),
    };
  }

  #header(name: string, node: Located): ApiHeader {
    return {
      name,
      pointer: node.pointer,
      isRequired: flagOf(node, 'required'),
      description: textOf(node, 'description'),
      schema: memberOf(node, 'schema') ?? schemaOfParameter(node, this.#version),
    };
  }
}

interface Defaults {
  readonly security: Located | undefined;
  readonly servers: readonly ApiServer[];
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
}

function emptyAt(pointer: string): Located {
  return { value: undefined, pointer };
}

function schemaOfParameter(node: Located, version: SpecVersion): Located {
  if (version !== '2.0' || !isObject(node.value)) return emptyAt(node.pointer);
  // In a parameter `required` is not a list of names, and the description is shown next to the name.
  const { required: _required, description: _description, ...schema } = node.value;
  return { value: schema, pointer: node.pointer };
}

function styleOf(node: Located, location: string): string {
  const value = isObject(node.value) ? node.value : {};
  const style = value['style'] ?? (location === 'query' || location === 'cookie' ? 'form' : 'simple');
  const explode = value['explode'] ?? style === 'form';
  return [style, explode, value['allowReserved'] === true, value['collectionFormat'] ?? 'csv'].join(' ');
}

function exampleOfSwagger(response: Located, mediaType: string): ApiExample[] {
  const examples = memberOf(response, 'examples');
  const example = examples && memberOf(examples, mediaType);
  return example ? [{ name: '', value: example.value }] : [];
}

/** Of one server; its address would name them all. */
const MAX_VARIABLES = 20;

function serversOf(node: Located, resolve: Resolve): ApiServer[] {
  return itemsOf(memberOf(node, 'servers')).flatMap((server) => {
    const url = textOf(server, 'url');
    if (url === '') return [];
    const variables = membersOf(memberOf(server, 'variables'), resolve)
      .slice(0, MAX_VARIABLES)
      .map(([name, variable]) => ({
        name,
        initial: textOf(variable, 'default'),
        values: textsOf(memberOf(variable, 'enum')),
        description: textOf(variable, 'description'),
      }));
    return [{ url, description: textOf(server, 'description'), variables }];
  });
}

function hostsOf(root: Located): ApiServer[] {
  const host = textOf(root, 'host');
  const base = textOf(root, 'basePath');
  if (host === '' && base === '') return [];
  const schemes = textsOf(memberOf(root, 'schemes'));
  const urls =
    host === ''
      ? [base]
      : (schemes.length > 0 ? schemes : ['https']).map((scheme) => `${scheme}://${host}${base}`);
  return urls.map((url) => ({ url, description: '', variables: [] }));
}

function textOf(node: Located | undefined, key: string): string {
  const value = isObject(node?.value) ? node.value[key] : undefined;
  return typeof value === 'string' ? value : '';
}

function flagOf(node: Located, key: string): boolean {
  return isObject(node.value) && node.value[key] === true;
}

function textsOf(node: Located | undefined): string[] {
  return itemsOf(node).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
}
