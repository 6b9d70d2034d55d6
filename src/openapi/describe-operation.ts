import type { ContentView, FieldView, OperationView } from '../content/render/index.ts';
import type { Api, ApiContent, ApiOperation, SecurityRequirement } from './api-model.ts';
import { isObject } from './pointer.ts';
import type { Located, Resolve } from './resolve-reference.ts';
import { type SchemaView, viewSchema } from './schema-view.ts';

/** Rows of one table; a longer one is of no use to readers. */
const MAX_FIELDS = 150;

/** Levels of nested objects that are listed. */
const MAX_DEPTH = 4;

/** Of each text in a table cell, in UTF-16 code units. */
const MAX_CELL_LENGTH = 600;

const MAX_DESCRIPTION_LENGTH = 20_000;

/** What readers see of one operation; its size is bounded, whatever the description contains. */
export function describeOperation(operation: ApiOperation, api: Api, resolve: Resolve): OperationView {
  const describe = (contents: readonly ApiContent[], direction: Direction) =>
    contents.slice(0, 10).map((content) => describeContent(content, direction, resolve));
  return {
    method: operation.method,
    path: operation.path,
    title: cut(operation.summary || operation.id || `${operation.method} ${operation.path}`, MAX_CELL_LENGTH),
    description: cut(operation.description, MAX_DESCRIPTION_LENGTH),
    isDeprecated: operation.isDeprecated,
    tags: operation.tags,
    servers: operation.servers.slice(0, 10),
    security: describeSecurity(operation.security, api),
    parameters: operation.parameters.slice(0, MAX_FIELDS).map((parameter) => ({
      in: parameter.in,
      ...describeField(parameter.name, parameter.schema, 0, resolve),
      isRequired: parameter.isRequired,
      isDeprecated: parameter.isDeprecated,
      ...(parameter.description === '' ? {} : { description: cut(parameter.description, MAX_CELL_LENGTH) }),
    })),
    body: operation.body && {
      description: cut(operation.body.description, MAX_CELL_LENGTH),
      isRequired: operation.body.isRequired,
      contents: describe(operation.body.contents, 'request'),
    },
    responses: operation.responses.slice(0, 50).map((response) => ({
      status: response.status,
      description: cut(response.description, MAX_CELL_LENGTH),
      headers: response.headers.slice(0, 50).map((header) => ({
        ...describeField(header.name, header.schema, 0, resolve),
        isRequired: header.isRequired,
        ...(header.description === '' ? {} : { description: cut(header.description, MAX_CELL_LENGTH) }),
      })),
      contents: describe(response.contents, 'response'),
    })),
  };
}

type Direction = 'request' | 'response';

function describeContent(
  { mediaType, schema }: ApiContent,
  direction: Direction,
  resolve: Resolve,
): ContentView {
  const fields: FieldView[] = [];
  let isCut = false;
  const add = (node: Located, depth: number, above: readonly (object | undefined)[]) => {
    const view = schemaToList(viewSchema(node, resolve), resolve);
    if (above.includes(view.identity) || view.properties.size === 0) return;
    if (depth >= MAX_DEPTH) {
      isCut = true;
      return;
    }
    for (const [name, property] of view.properties) {
      if (fields.length >= MAX_FIELDS) {
        isCut = true;
        return;
      }
      const inner = viewSchema(property, resolve);
      if (direction === 'request' ? inner.isReadOnly : inner.isWriteOnly) continue;
      fields.push({
        ...describeField(name, property, depth, resolve),
        isRequired: view.required.has(name),
      });
      add(property, depth + 1, [...above, view.identity]);
    }
  };
  add(schema, 0, []);
  return { mediaType, type: describeType(viewSchema(schema, resolve), resolve), fields, isCut };
}

/** The object whose properties are listed: the items of a list, or the only alternative. */
function schemaToList(view: SchemaView, resolve: Resolve): SchemaView {
  let at = view;
  for (let hops = 0; hops < 5 && at.properties.size === 0; hops++) {
    const [single] = at.alternatives.length === 1 ? at.alternatives : [];
    const inner = at.items ?? single ?? (typeof at.additional === 'boolean' ? null : at.additional);
    if (!inner) break;
    at = viewSchema(inner, resolve);
  }
  return at;
}

function describeField(name: string, node: Located, depth: number, resolve: Resolve): FieldView {
  const view = viewSchema(node, resolve);
  return {
    name,
    depth,
    type: describeType(view, resolve),
    isRequired: false,
    isDeprecated: view.isDeprecated,
    description: cut(view.description, MAX_CELL_LENGTH),
    notes: constraintsOf(view),
  };
}

function describeType(view: SchemaView, resolve: Resolve, depth = 0): string {
  const own = [...(view.types ?? [])].filter((type) => type !== 'null');
  const orNull = view.types?.has('null') === true && own.length > 0 ? ' or null' : '';
  if (view.alternatives.length > 0 && view.properties.size === 0) {
    const names = view.alternatives
      .slice(0, 6)
      .map((alternative) => describeInner(alternative, resolve, depth));
    const more = view.alternatives.length > 6 ? ' or others' : '';
    return `${[...new Set(names)].join(' or ')}${more}${orNull}`;
  }
  if (own.includes('array') && own.length === 1) {
    return `array of ${view.items ? describeInner(view.items, resolve, depth) : 'anything'}${orNull}`;
  }
  if (typeof view.additional !== 'boolean' && view.properties.size === 0) {
    return `map of ${describeInner(view.additional, resolve, depth)}${orNull}`;
  }
  if (own.length === 0) return view.types?.has('null') ? 'null' : (view.name ?? 'any');
  const format = typeof view.fields['format'] === 'string' ? ` (${cut(view.fields['format'], 40)})` : '';
  const name = own.join() === 'object' && view.name !== null ? view.name : own.join(' or ');
  return `${name}${format}${orNull}`;
}

function describeInner(node: Located, resolve: Resolve, depth: number): string {
  const view = viewSchema(node, resolve);
  return depth > 3 ? (view.name ?? 'any') : describeType(view, resolve, depth + 1);
}

/** How each keyword that restricts a value, besides its type, is described. */
const CONSTRAINTS: readonly (readonly [string, (value: unknown) => string])[] = [
  ['const', (value) => `always ${formatExample(value)}`],
  ['enum', (value) => `one of ${formatValues(value)}`],
  ['default', (value) => `default ${formatExample(value)}`],
  ['minimum', (value) => `at least ${formatExample(value)}`],
  ['exclusiveMinimum', (value) => `above ${formatExample(value)}`],
  ['maximum', (value) => `at most ${formatExample(value)}`],
  ['exclusiveMaximum', (value) => `below ${formatExample(value)}`],
  ['multipleOf', (value) => `a multiple of ${formatExample(value)}`],
  ['minLength', (value) => `at least ${formatExample(value)} characters`],
  ['maxLength', (value) => `at most ${formatExample(value)} characters`],
  ['pattern', (value) => `pattern ${formatExample(value)}`],
  ['minItems', (value) => `at least ${formatExample(value)} items`],
  ['maxItems', (value) => `at most ${formatExample(value)} items`],
  ['example', (value) => `example ${formatExample(value)}`],
];

function constraintsOf({ fields }: SchemaView): string[] {
  return CONSTRAINTS.flatMap(([name, describe]) => {
    const value = fields[name];
    return value === undefined || (name === 'enum' && !Array.isArray(value)) ? [] : [describe(value)];
  });
}

function formatExample(value: unknown): string {
  return cut(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), 100);
}

function formatValues(value: unknown): string {
  const all = value as readonly unknown[];
  const shown = all.slice(0, 30).map(formatExample).join(', ');
  return all.length > 30 ? `${shown} and ${all.length - 30} more` : shown;
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

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;
}
