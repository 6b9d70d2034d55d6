import { isObject, type JsonObject } from './pointer.ts';
import {
  itemsOf,
  type Located,
  memberOf,
  membersOf,
  nameOfReference,
  type Resolve,
} from './resolve-reference.ts';

/** One schema as all versions mean it: references followed, `allOf` joined, `nullable` a type. */
export interface SchemaView {
  readonly pointer: string;
  /** What it is called, where a reference leads to it. */
  readonly name: string | null;
  /** Identifies it among the schemas of its document; undefined for one that says nothing. */
  readonly identity: object | undefined;
  /** The values that it takes: nothing at all for `false`. */
  readonly isNever: boolean;
  /** Null: any type. */
  readonly types: ReadonlySet<string> | null;
  readonly properties: ReadonlyMap<string, Located>;
  readonly required: ReadonlySet<string>;
  readonly items: Located | null;
  /** What properties that are not named may be: true for anything (also where nothing is said). */
  readonly additional: Located | boolean;
  /** `oneOf` and `anyOf` together; empty where there are none. */
  readonly alternatives: readonly Located[];
  /** Null where every value is allowed. */
  readonly values: readonly unknown[] | null;
  readonly isReadOnly: boolean;
  readonly isWriteOnly: boolean;
  readonly isDeprecated: boolean;
  readonly description: string;
  /** All other fields as written, of all parts; the limits among them in the way of JSON Schema 2020-12. */
  readonly fields: JsonObject;
}

/** Parts of `allOf` inside one another, and in all; beyond them the rest is left out. */
const MAX_PARTS = 200;

/** Reads the schema at a place. What stands in several parts of `allOf` holds as the last of them says it. */
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
    for (const [name, one] of membersOf(memberOf(part, 'properties'), resolve)) properties.set(name, one);
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

/** The schema itself and all that its `allOf` joins, those first. */
function collectParts(node: Located, resolve: Resolve): Located[] {
  const parts: Located[] = [];
  const seen = new Set<unknown>();
  const add = (given: Located) => {
    const { value, pointer } = resolve(given);
    if (!isObject(value) || seen.has(value) || seen.size >= MAX_PARTS) return;
    seen.add(value);
    const part = { value, pointer };
    for (const one of itemsOf(memberOf(part, 'allOf'))) add(one);
    parts.push(part);
    // Since 3.1 a reference may stand beside other fields.
    if (given.value !== value && isObject(given.value) && Object.keys(given.value).length > 1)
      parts.push(given);
  };
  add(node);
  return parts;
}

function typesOf(schema: JsonObject): ReadonlySet<string> | null {
  const { type, nullable } = schema;
  const said = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string');
  const alternatives = [schema['oneOf'], schema['anyOf']].flatMap((one) => (Array.isArray(one) ? one : []));
  const mayBeNull = nullable === true || schema['x-nullable'] === true || alternatives.some(isNullSchema);
  if (said.length === 0) return null;
  return new Set(mayBeNull ? [...said, 'null'] : said);
}

function isNullSchema(value: unknown): boolean {
  return isObject(value) && value['type'] === 'null';
}

/** People leave `type` out where it shows. */
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

/** The description beside a reference is nearer than that of what it leads to. */
function descriptionOf(first: Located | undefined, fields: JsonObject): string {
  const said = fields['description'] ?? (isObject(first?.value) ? first.value['description'] : undefined);
  return typeof said === 'string' ? said : '';
}

/** `exclusiveMinimum: true` of older versions becomes the number itself. */
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
