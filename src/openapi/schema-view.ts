import { isObject, type JsonObject } from './pointer.ts';
import {
  itemsOf,
  type Located,
  memberOf,
  membersOf,
  nameOfReference,
  type Resolve,
} from './resolve-reference.ts';

/** A schema independent of the OpenAPI version: references resolved, `allOf` merged, `nullable` turned into a type. */
export interface SchemaView {
  readonly pointer: string;
  /** Its name when it was reached through a reference; null otherwise. */
  readonly name: string | null;
  /** Identifies it among the schemas of its document; undefined when the schema is not an object. */
  readonly identity: object | undefined;
  /** Whether it accepts no value at all (the schema `false`). */
  readonly isNever: boolean;
  /** Null for any type. */
  readonly types: ReadonlySet<string> | null;
  readonly properties: ReadonlyMap<string, Located>;
  readonly required: ReadonlySet<string>;
  readonly items: Located | null;
  /** The schema of additional properties; true for any (the default), false for none. */
  readonly additional: Located | boolean;
  /** `oneOf` and `anyOf` together. */
  readonly alternatives: readonly Located[];
  /** The allowed values; null when every value is allowed. */
  readonly values: readonly unknown[] | null;
  readonly isReadOnly: boolean;
  readonly isWriteOnly: boolean;
  readonly isDeprecated: boolean;
  readonly description: string;
  /** All other fields of all parts as written; limits in the style of JSON Schema 2020-12. */
  readonly fields: JsonObject;
}

/** Parts of `allOf` in total, nested ones included; the rest is ignored. */
const MAX_PARTS = 200;

/** Reads a schema. A field that several parts of `allOf` define has the value of the last one. */
export function viewSchema(node: Located, resolve: Resolve): SchemaView {
  const parts = collectParts(node, resolve);
  const [first] = parts;
  const properties = new Map<string, Located>();
  const required = new Set<string>();
  const alternatives: Located[] = [];
  let fields: Record<string, unknown> = {};
  let items: Located | null = null;
  let additional: Located | boolean = true;
  let types: ReadonlySet<string> | null = null;
  for (const part of parts) {
    const value = part.value as JsonObject;
    for (const [name, property] of membersOf(memberOf(part, 'properties'), resolve)) {
      properties.set(name, property);
    }
    for (const { value: name } of itemsOf(memberOf(part, 'required'))) {
      if (typeof name === 'string') required.add(name);
    }
    alternatives.push(...itemsOf(memberOf(part, 'oneOf')), ...itemsOf(memberOf(part, 'anyOf')));
    const inner = memberOf(part, 'items');
    if (inner && isObject(inner.value)) items = inner;
    const extra = memberOf(part, 'additionalProperties');
    if (extra) additional = typeof extra.value === 'boolean' ? extra.value : extra;
    const own = typesOf(value);
    types = types !== null && own !== null ? types.intersection(own) : (own ?? types);
    fields = { ...fields, ...value };
  }
  const resolved = resolve(node);
  return {
    pointer: resolved.pointer === '' ? node.pointer : resolved.pointer,
    name: resolved.reference === null ? null : nameOfReference(resolved.reference),
    identity: isObject(resolved.value) ? resolved.value : undefined,
    isNever: resolved.value === false,
    types: types ?? impliedType(fields),
    properties,
    required,
    items,
    additional,
    alternatives: alternatives.filter(({ value }) => !isNullSchema(value)),
    values: valuesOf(fields),
    isReadOnly: fields['readOnly'] === true,
    isWriteOnly: fields['writeOnly'] === true,
    isDeprecated: fields['deprecated'] === true,
    description: descriptionOf(first, fields),
    fields: withLimits(fields),
  };
}

/** The parts of its `allOf`, then the schema itself. */
function collectParts(node: Located, resolve: Resolve): Located[] {
  const parts: Located[] = [];
  const seen = new Set<unknown>();
  const add = (schema: Located) => {
    const { value, pointer } = resolve(schema);
    if (!isObject(value) || seen.has(value) || seen.size >= MAX_PARTS) return;
    seen.add(value);
    const part = { value, pointer };
    for (const item of itemsOf(memberOf(part, 'allOf'))) add(item);
    parts.push(part);
    // Since 3.1 a reference may have other fields next to it.
    if (schema.value !== value && isObject(schema.value) && Object.keys(schema.value).length > 1)
      parts.push(schema);
  };
  add(node);
  return parts;
}

function typesOf(schema: JsonObject): ReadonlySet<string> | null {
  const { type, nullable } = schema;
  const types = (Array.isArray(type) ? type : [type]).filter((name) => typeof name === 'string');
  const alternatives = [schema['oneOf'], schema['anyOf']].flatMap((list) =>
    Array.isArray(list) ? list : [],
  );
  const mayBeNull = nullable === true || schema['x-nullable'] === true || alternatives.some(isNullSchema);
  if (types.length === 0) return null;
  return new Set(mayBeNull ? [...types, 'null'] : types);
}

function isNullSchema(value: unknown): boolean {
  return isObject(value) && value['type'] === 'null';
}

/** Authors often leave `type` out when other fields imply it. */
function impliedType(fields: JsonObject): ReadonlySet<string> | null {
  const mayBeNull = fields['nullable'] === true ? ['null'] : [];
  if (isObject(fields['properties'])) return new Set(['object', ...mayBeNull]);
  if (isObject(fields['items'])) return new Set(['array', ...mayBeNull]);
  return null;
}

function valuesOf(fields: JsonObject): readonly unknown[] | null {
  if (Object.hasOwn(fields, 'const')) return [fields['const']];
  return Array.isArray(fields['enum']) ? fields['enum'] : null;
}

/** A description next to a reference takes precedence over the description of its target. */
function descriptionOf(first: Located | undefined, fields: JsonObject): string {
  const description =
    fields['description'] ?? (isObject(first?.value) ? first.value['description'] : undefined);
  return typeof description === 'string' ? description : '';
}

/** Turns `exclusiveMinimum: true` of older versions into the number itself. */
function withLimits(fields: JsonObject): JsonObject {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...rest } = fields;
  return {
    ...rest,
    ...limit('minimum', 'exclusiveMinimum', minimum, exclusiveMinimum),
    ...limit('maximum', 'exclusiveMaximum', maximum, exclusiveMaximum),
  };
}

function limit(name: string, exclusiveName: string, value: unknown, exclusive: unknown): JsonObject {
  if (typeof exclusive === 'number') return { [name]: value, [exclusiveName]: exclusive };
  return exclusive === true ? { [exclusiveName]: value } : { [name]: value };
}
