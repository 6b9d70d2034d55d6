import type {
  Api,
  ApiBody,
  ApiContent,
  ApiHeader,
  ApiOperation,
  ApiParameter,
  ApiResponse,
  SecurityNeed,
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

/** Reads a document that `readSpec` took and `bundleSpec` made one. What is of no use in it is left out, never an error. */
export function readApi(document: SpecDocument): ReadApi {
  const resolve = createResolver(document);
  const said = readVersion(document);
  const version = 'version' in said ? said.version : '3.0';
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
      servers: version === '2.0' ? hostsOf(root) : serversOf(root),
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
      servers: this.#defaults.servers,
      operations: this.#operationsOf(memberOf(root, 'paths')),
      webhooks: this.#operationsOf(memberOf(root, 'webhooks')),
      securitySchemes: new Map(
        membersOf(schemes, this.#resolve).map(([name, one]) => [name, this.#resolve(one)]),
      ),
      tags: new Map(
        itemsOf(memberOf(root, 'tags')).map((one) => [textOf(one, 'name'), textOf(one, 'description')]),
      ),
    };
  }

  #operationsOf(paths: Located | undefined): ApiOperation[] {
    return membersOf(paths, this.#resolve).flatMap(([path, node]) => {
      if (path.startsWith('x-')) return [];
      // Beside a reference a path may say more of its own.
      const items = [node, this.#resolve(node)];
      const seen = new Set<string>();
      return items.flatMap((item) =>
        this.#methodsOf(item).flatMap(([method, operation]) => {
          if (seen.has(method)) return [];
          seen.add(method);
          return isObject(operation.value) ? [this.#operation(path, method, operation, item)] : [];
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
    return [...known, ...more.map(([method, one]) => [method.toUpperCase(), this.#resolve(one)] as const)];
  }

  #operation(path: string, method: string, node: Located, item: Located): ApiOperation {
    const parameters = new Map<string, Resolved>();
    for (const holder of [item, node]) {
      for (const one of itemsOf(memberOf(holder, 'parameters'))) {
        const parameter = this.#resolve(one);
        if (!isObject(parameter.value)) continue;
        parameters.set(`${textOf(parameter, 'in')} ${textOf(parameter, 'name')}`, parameter);
      }
    }
    const security = memberOf(node, 'security') ?? this.#defaults.security;
    const servers = serversOf(memberOf(node, 'servers') ? node : item);
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
      parameters: [...parameters.values()].flatMap((one) => this.#parameter(one)),
      body: this.#body(node, [...parameters.values()]),
      responses: membersOf(memberOf(node, 'responses'), this.#resolve).flatMap(([status, one]) =>
        status.startsWith('x-') ? [] : [this.#response(status, this.#resolve(one), node)],
      ),
      security: this.#security(security),
      securityPointer: security?.pointer ?? node.pointer,
    };
  }

  #security(node: Located | undefined): SecurityNeed[] {
    const needs = itemsOf(node).map(
      (one) => new Map(membersOf(one, this.#resolve).map(([name, scopes]) => [name, textsOf(scopes)])),
    );
    return needs.length > 0 ? needs : [new Map()];
  }

  #parameter(node: Located): ApiParameter[] {
    const place = textOf(node, 'in');
    if (place === 'body' || place === 'formData') return [];
    const [, content] = membersOf(memberOf(node, 'content'), this.#resolve)[0] ?? [];
    // In Swagger 2.0 the parameter is its own schema.
    const schema =
      (content && memberOf(content, 'schema')) ?? memberOf(node, 'schema') ?? schemaless(node, this.#version);
    return [
      {
        name: textOf(node, 'name'),
        in: place,
        pointer: node.pointer,
        isRequired: flagOf(node, 'required'),
        isDeprecated: flagOf(node, 'deprecated'),
        description: textOf(node, 'description'),
        schema,
        style: styleOf(node, place),
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
    const body = parameters.find((one) => textOf(one, 'in') === 'body');
    const contentsOf = (schema: Located, given: readonly string[]): ApiContent[] =>
      given.map((mediaType) => ({ mediaType, pointer: schema.pointer, schema }));
    if (body) {
      const schema = memberOf(body, 'schema') ?? { value: undefined, pointer: body.pointer };
      return {
        pointer: body.pointer,
        isRequired: flagOf(body, 'required'),
        description: textOf(body, 'description'),
        contents: contentsOf(schema, types.length > 0 ? types : ['application/json']),
      };
    }
    const fields = parameters.filter((one) => textOf(one, 'in') === 'formData');
    if (fields.length === 0) return null;
    const value = {
      type: 'object',
      properties: Object.fromEntries(fields.map((one) => [textOf(one, 'name'), one.value])),
      required: fields.filter((one) => flagOf(one, 'required')).map((one) => textOf(one, 'name')),
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
    return membersOf(memberOf(node, 'content'), this.#resolve).map(([mediaType, one]) => {
      const media = this.#resolve(one);
      const schema = memberOf(media, 'schema') ?? memberOf(media, 'itemSchema');
      return { mediaType, pointer: media.pointer, schema: schema ?? nothingAt(media.pointer) };
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
        }))
      : this.#contents(node);
    return {
      status,
      pointer: node.pointer,
      description: textOf(node, 'description'),
      contents,
      headers: membersOf(memberOf(node, 'headers'), this.#resolve).map(([name, one]) =>
        this.#header(name, this.#resolve(one)),
      ),
    };
  }

  #header(name: string, node: Located): ApiHeader {
    return {
      name,
      pointer: node.pointer,
      isRequired: flagOf(node, 'required'),
      description: textOf(node, 'description'),
      schema: memberOf(node, 'schema') ?? schemaless(node, this.#version),
    };
  }
}

interface Defaults {
  readonly security: Located | undefined;
  readonly servers: readonly string[];
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
}

function nothingAt(pointer: string): Located {
  return { value: undefined, pointer };
}

function schemaless(node: Located, version: SpecVersion): Located {
  if (version !== '2.0' || !isObject(node.value)) return nothingAt(node.pointer);
  // Here `required` is no list of names, and the description is told beside the name.
  const { required: _required, description: _description, ...schema } = node.value;
  return { value: schema, pointer: node.pointer };
}

function styleOf(node: Located, place: string): string {
  const value = isObject(node.value) ? node.value : {};
  const style = value['style'] ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple');
  const explode = value['explode'] ?? style === 'form';
  return [style, explode, value['allowReserved'] === true, value['collectionFormat'] ?? 'csv'].join(' ');
}

function serversOf(node: Located): string[] {
  return itemsOf(memberOf(node, 'servers')).flatMap((one) => textOf(one, 'url') || []);
}

function hostsOf(root: Located): string[] {
  const host = textOf(root, 'host');
  const base = textOf(root, 'basePath');
  if (host === '' && base === '') return [];
  if (host === '') return [base];
  const schemes = textsOf(memberOf(root, 'schemes'));
  return (schemes.length > 0 ? schemes : ['https']).map((scheme) => `${scheme}://${host}${base}`);
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
