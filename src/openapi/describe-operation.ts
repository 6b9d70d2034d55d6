import type { ContentView, FieldView, OperationView } from '../content/render/index.ts';
import type { Api, ApiContent, ApiOperation, SecurityNeed } from './api-model.ts';
import { isObject } from './pointer.ts';
import type { Located, Resolve } from './resolve-reference.ts';
import { type SchemaView, viewSchema } from './schema-view.ts';

/** Rows of one table; a reader is lost before. */
const MAX_FIELDS = 150;

/** Objects inside one another that are written out. */
const MAX_DEPTH = 4;

/** Of each text in a table, in UTF-16 code units. */
const MAX_CELL_LENGTH = 600;

const MAX_DESCRIPTION_LENGTH = 20_000;

/** What is told of one operation, within bounds, whatever the description holds. */
export function describeOperation(operation: ApiOperation, api: Api, resolve: Resolve): OperationView {
  const describe = (contents: readonly ApiContent[], direction: Direction) =>
    contents.slice(0, 10).map((one) => describeContent(one, direction, resolve));
  return {
    method: operation.method,
    path: operation.path,
    title: cut(operation.summary || operation.id || `${operation.method} ${operation.path}`, MAX_CELL_LENGTH),
    description: cut(operation.description, MAX_DESCRIPTION_LENGTH),
    isDeprecated: operation.isDeprecated,
    tags: operation.tags,
    servers: operation.servers.slice(0, 10),
    security: describeSecurity(operation.security, api),
    parameters: operation.parameters.slice(0, MAX_FIELDS).map((one) => ({
      in: one.in,
      ...describeField(one.name, one.schema, 0, resolve),
      isRequired: one.isRequired,
      isDeprecated: one.isDeprecated,
      ...(one.description === '' ? {} : { description: cut(one.description, MAX_CELL_LENGTH) }),
    })),
    body: operation.body && {
      description: cut(operation.body.description, MAX_CELL_LENGTH),
      isRequired: operation.body.isRequired,
      contents: describe(operation.body.contents, 'request'),
    },
    responses: operation.responses.slice(0, 50).map((one) => ({
      status: one.status,
      description: cut(one.description, MAX_CELL_LENGTH),
      headers: one.headers.slice(0, 50).map((header) => ({
        ...describeField(header.name, header.schema, 0, resolve),
        isRequired: header.isRequired,
        ...(header.description === '' ? {} : { description: cut(header.description, MAX_CELL_LENGTH) }),
      })),
      contents: describe(one.contents, 'response'),
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
    const view = listedBy(viewSchema(node, resolve), resolve);
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

/** The object whose properties are to be listed: of a list its items, of alternatives the only one. */
function listedBy(view: SchemaView, resolve: Resolve): SchemaView {
  let at = view;
  for (let hops = 0; hops < 5 && at.properties.size === 0; hops++) {
    const [only] = at.alternatives.length === 1 ? at.alternatives : [];
    const inner = at.items ?? only ?? (typeof at.additional === 'boolean' ? null : at.additional);
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
    notes: notesOf(view),
  };
}

function describeType(view: SchemaView, resolve: Resolve, depth = 0): string {
  const own = [...(view.types ?? [])].filter((one) => one !== 'null');
  const orNull = view.types?.has('null') === true && own.length > 0 ? ' or null' : '';
  if (view.alternatives.length > 0 && view.properties.size === 0) {
    const names = view.alternatives.slice(0, 6).map((one) => describeInner(one, resolve, depth));
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

/** What a value must be, besides its type: a row a field. */
const NOTES: readonly (readonly [string, (value: unknown) => string])[] = [
  ['const', (value) => `always ${write(value)}`],
  ['enum', (value) => `one of ${writeList(value)}`],
  ['default', (value) => `default ${write(value)}`],
  ['minimum', (value) => `at least ${write(value)}`],
  ['exclusiveMinimum', (value) => `above ${write(value)}`],
  ['maximum', (value) => `at most ${write(value)}`],
  ['exclusiveMaximum', (value) => `below ${write(value)}`],
  ['multipleOf', (value) => `a multiple of ${write(value)}`],
  ['minLength', (value) => `at least ${write(value)} characters`],
  ['maxLength', (value) => `at most ${write(value)} characters`],
  ['pattern', (value) => `pattern ${write(value)}`],
  ['minItems', (value) => `at least ${write(value)} items`],
  ['maxItems', (value) => `at most ${write(value)} items`],
  ['example', (value) => `example ${write(value)}`],
];

function notesOf({ fields }: SchemaView): string[] {
  return NOTES.flatMap(([name, say]) => {
    const value = fields[name];
    return value === undefined || (name === 'enum' && !Array.isArray(value)) ? [] : [say(value)];
  });
}

function write(value: unknown): string {
  return cut(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), 100);
}

function writeList(value: unknown): string {
  const all = value as readonly unknown[];
  const shown = all.slice(0, 30).map(write).join(', ');
  return all.length > 30 ? `${shown} and ${all.length - 30} more` : shown;
}

function describeSecurity(needs: readonly SecurityNeed[], api: Api): string[] {
  if (needs.some((need) => need.size === 0)) return [];
  return needs.slice(0, 10).map((need) =>
    [...need]
      .map(([name, scopes]) => {
        const { value } = api.securitySchemes.get(name) ?? {};
        const { type, in: place, name: field, scheme } = isObject(value) ? value : {};
        const how = [type, scheme, place, field].filter((one) => typeof one === 'string').join(' ');
        const told = how === '' ? name : `${name} (${how})`;
        return scopes.length === 0 ? told : `${told} with the scopes ${scopes.join(', ')}`;
      })
      .join(' and '),
  );
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;
}
