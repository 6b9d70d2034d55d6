import type { SchemaView } from '../schema-view.ts';
import { formatJson, formatList } from './format-values.ts';
import type { ChangedValues, ChangeKind } from './spec-change.ts';

export interface SchemaDifference extends ChangedValues {
  readonly kind: ChangeKind;
  /** Continues the sentence after the name of the schema: `now has at most 10 characters (it was 20).` */
  readonly predicate: string;
  readonly breaks: Breaks;
}

interface Breaks {
  /** For values that clients send. */
  readonly request: boolean;
  /** For values that clients receive. */
  readonly response: boolean;
}

export interface SchemaRule {
  readonly find: (was: SchemaView, is: SchemaView) => readonly SchemaDifference[];
}

/** Fewer values are allowed, so values that clients send may be refused. */
const NARROWER: Breaks = { request: true, response: false };
/** More values are allowed, so clients may receive values that they do not know. */
const WIDER: Breaks = { request: false, response: true };
const EITHER: Breaks = { request: true, response: true };
const HARMLESS: Breaks = { request: false, response: false };

/** How two schemas are compared, apart from the schemas inside them. */
export const SCHEMA_RULES: readonly SchemaRule[] = [
  { find: types },
  { find: nulls },
  { find: values },
  { find: lowest('minimum', 'is at least') },
  { find: lowest('exclusiveMinimum', 'is above') },
  { find: highest('maximum', 'is at most') },
  { find: highest('exclusiveMaximum', 'is below') },
  { find: lowest('minLength', 'has at least', 'characters') },
  { find: highest('maxLength', 'has at most', 'characters') },
  { find: lowest('minItems', 'has at least', 'items') },
  { find: highest('maxItems', 'has at most', 'items') },
  { find: lowest('minProperties', 'has at least', 'properties') },
  { find: highest('maxProperties', 'has at most', 'properties') },
  { find: multiples },
  { find: uniqueness },
  { find: patterns },
  { find: formats },
  { find: defaults },
  { find: additional },
  { find: discriminators },
  { find: deprecation },
  { find: condition('not') },
  { find: condition('if') },
  { find: condition('contains') },
  { find: condition('propertyNames') },
];

function types(was: SchemaView, is: SchemaView): SchemaDifference[] {
  if (was.isNever !== is.isNever) {
    const predicate = is.isNever ? 'may no longer have any value.' : 'may now have a value.';
    const values = is.isNever ? { was: 'a value', is: 'none' } : { was: 'none', is: 'a value' };
    return [{ kind: 'type-changed', predicate, ...values, breaks: is.isNever ? NARROWER : WIDER }];
  }
  const before = withoutNull(was.types);
  const after = withoutNull(is.types);
  // A schema without a type accepts all types.
  const removed =
    before === null ? after !== null : after !== null && [...before].some((type) => !accepts(after, type));
  const added =
    after === null ? before !== null : before !== null && [...after].some((type) => !accepts(before, type));
  if (!removed && !added) return [];
  const predicate = `was of type ${describeTypes(before)} and is now of type ${describeTypes(after)}.`;
  const breaks = removed && added ? EITHER : removed ? NARROWER : WIDER;
  return [{ kind: 'type-changed', predicate, was: describeTypes(before), is: describeTypes(after), breaks }];
}

function withoutNull(types: ReadonlySet<string> | null): ReadonlySet<string> | null {
  if (types === null) return null;
  const rest = [...types].filter((type) => type !== 'null');
  return rest.length === 0 && types.size > 0 ? types : new Set(rest);
}

/** Every integer is a number. */
function accepts(types: ReadonlySet<string>, type: string): boolean {
  return types.has(type) || (type === 'integer' && types.has('number'));
}

function describeTypes(types: ReadonlySet<string> | null): string {
  return types === null ? 'any' : [...types].join(' or ');
}

function nulls(was: SchemaView, is: SchemaView): SchemaDifference[] {
  const before = was.types === null || was.types.has('null');
  const after = is.types === null || is.types.has('null');
  // A change from or to a schema without a type is reported by `types`.
  if (before === after || was.types === null || is.types === null) return [];
  return after
    ? [{ kind: 'null-allowed', predicate: 'may now be null.', is: 'null', breaks: WIDER }]
    : [{ kind: 'null-forbidden', predicate: 'may no longer be null.', was: 'null', breaks: NARROWER }];
}

function values(was: SchemaView, is: SchemaView): SchemaDifference[] {
  if (was.values === null && is.values === null) return [];
  if (was.values === null) {
    const only = formatList(is.values?.map(formatJson) ?? []);
    const predicate = `now accepts only ${only}.`;
    return [{ kind: 'enum-value-removed', predicate, was: 'any', is: only, breaks: NARROWER }];
  }
  if (is.values === null) {
    const predicate = 'may now have any value, not only those of a list.';
    const listed = formatList(was.values.map(formatJson));
    return [{ kind: 'enum-value-added', predicate, was: listed, is: 'any', breaks: WIDER }];
  }
  const before = new Set(was.values.map(toJson));
  const after = new Set(is.values.map(toJson));
  const removed = was.values.filter((value) => !after.has(toJson(value)));
  const added = is.values.filter((value) => !before.has(toJson(value)));
  const differences: SchemaDifference[] = [];
  if (removed.length > 0) {
    const values = formatList(removed.map(formatJson));
    const predicate = `no longer allows the value ${values}.`;
    differences.push({ kind: 'enum-value-removed', predicate, was: values, breaks: NARROWER });
  }
  if (added.length > 0) {
    const values = formatList(added.map(formatJson));
    const predicate = `may now have the value ${values}.`;
    differences.push({ kind: 'enum-value-added', predicate, is: values, breaks: WIDER });
  }
  return differences;
}

function changedValues(before: unknown, after: unknown): ChangedValues {
  return {
    ...(before === undefined ? {} : { was: formatJson(before) }),
    ...(after === undefined ? {} : { is: formatJson(after) }),
  };
}

function toJson(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

function lowest(field: string, verb: string, unit = ''): SchemaRule['find'] {
  return (was, is) => limit(was, is, { field, verb, unit, isNarrower: (before, after) => after > before });
}

function highest(field: string, verb: string, unit = ''): SchemaRule['find'] {
  return (was, is) => limit(was, is, { field, verb, unit, isNarrower: (before, after) => after < before });
}

interface Limit {
  readonly field: string;
  readonly verb: string;
  readonly unit: string;
  readonly isNarrower: (before: number, after: number) => boolean;
}

function limit(
  was: SchemaView,
  is: SchemaView,
  { field, verb, unit, isNarrower }: Limit,
): SchemaDifference[] {
  const before = limitOf(was, field);
  const after = limitOf(is, field);
  if (before === after) return [];
  const describe = (value: number) => `${verb} ${value}${unit === '' ? '' : ` ${unit}`}`;
  if (after === null) {
    const predicate = `no longer has a ${field} (it was ${before}).`;
    return [{ kind: 'limit-widened', predicate, was: `${field} ${before}`, breaks: WIDER }];
  }
  if (before === null) {
    const predicate = `now ${describe(after)}.`;
    return [{ kind: 'limit-narrowed', predicate, is: `${field} ${after}`, breaks: NARROWER }];
  }
  const narrower = isNarrower(before, after);
  const predicate = `now ${describe(after)} (it was ${before}).`;
  return [
    {
      kind: narrower ? 'limit-narrowed' : 'limit-widened',
      predicate,
      was: `${field} ${before}`,
      is: `${field} ${after}`,
      breaks: narrower ? NARROWER : WIDER,
    },
  ];
}

/** The value of a limit; null for none. A minimum length or number of 0 does not restrict anything. */
function limitOf(view: SchemaView, field: string): number | null {
  const value = view.fields[field];
  if (typeof value !== 'number') return null;
  return value === 0 && /^min(?:Length|Items|Properties)$/.test(field) ? null : value;
}

function multiples(was: SchemaView, is: SchemaView): SchemaDifference[] {
  const before = was.fields['multipleOf'];
  const after = is.fields['multipleOf'];
  if (before === after || (typeof before !== 'number' && typeof after !== 'number')) return [];
  if (typeof after !== 'number') {
    const predicate = `no longer needs to be a multiple of ${before}.`;
    return [{ kind: 'limit-widened', predicate, was: `multipleOf ${before}`, breaks: WIDER }];
  }
  const isWider = typeof before === 'number' && before % after === 0;
  const predicate = `must now be a multiple of ${after}.`;
  return [
    {
      kind: isWider ? 'limit-widened' : 'limit-narrowed',
      predicate,
      ...(typeof before === 'number' ? { was: `multipleOf ${before}` } : {}),
      is: `multipleOf ${after}`,
      breaks: isWider ? WIDER : NARROWER,
    },
  ];
}

function uniqueness(was: SchemaView, is: SchemaView): SchemaDifference[] {
  const before = was.fields['uniqueItems'] === true;
  const after = is.fields['uniqueItems'] === true;
  if (before === after) return [];
  return after
    ? [
        {
          kind: 'limit-narrowed',
          predicate: 'must now have unique items.',
          is: 'uniqueItems',
          breaks: NARROWER,
        },
      ]
    : [
        {
          kind: 'limit-widened',
          predicate: 'may now have repeated items.',
          was: 'uniqueItems',
          breaks: WIDER,
        },
      ];
}

/** Whether a pattern accepts more than another one cannot be decided, so every change counts as narrower. */
function patterns(was: SchemaView, is: SchemaView): SchemaDifference[] {
  const before = was.fields['pattern'];
  const after = is.fields['pattern'];
  if (before === after) return [];
  if (after === undefined) {
    const predicate = 'no longer needs to match a pattern.';
    return [{ kind: 'pattern-changed', predicate, was: formatJson(before), breaks: HARMLESS }];
  }
  const predicate = `must now match the pattern ${formatJson(after)}.`;
  return [{ kind: 'pattern-changed', predicate, ...changedValues(before, after), breaks: NARROWER }];
}

const WIDER_FORMATS: Readonly<Record<string, string>> = { int32: 'int64', float: 'double' };

function formats(was: SchemaView, is: SchemaView): SchemaDifference[] {
  const before = was.fields['format'];
  const after = is.fields['format'];
  // Another type has other formats, and the change of type is reported already.
  if (before === after || describeTypes(withoutNull(was.types)) !== describeTypes(withoutNull(is.types)))
    return [];
  const predicate =
    after === undefined
      ? `no longer has a format (it was ${formatJson(before)}).`
      : `now has the format ${formatJson(after)}${before === undefined ? '' : ` (it was ${formatJson(before)})`}.`;
  const isWider = after === undefined || WIDER_FORMATS[String(before)] === after;
  const isNarrower = before === undefined || WIDER_FORMATS[String(after)] === before;
  const breaks = isWider ? WIDER : isNarrower ? NARROWER : EITHER;
  return [{ kind: 'format-changed', predicate, ...changedValues(before, after), breaks }];
}

/** A client that leaves out the value gets another one than before. */
function defaults(was: SchemaView, is: SchemaView): SchemaDifference[] {
  const before = was.fields['default'];
  const after = is.fields['default'];
  if (toJson(before) === toJson(after)) return [];
  const predicate =
    before === undefined
      ? `now has the default ${formatJson(after)}.`
      : after === undefined
        ? `no longer has a default (it was ${formatJson(before)}).`
        : `now has the default ${formatJson(after)} (it was ${formatJson(before)}).`;
  const breaks = { request: before !== undefined, response: false };
  return [{ kind: 'default-changed', predicate, ...changedValues(before, after), breaks }];
}

function additional(was: SchemaView, is: SchemaView): SchemaDifference[] {
  if (was.additional !== false && is.additional === false) {
    const predicate = 'may no longer have properties other than those that are listed.';
    const values = { was: 'other properties', is: 'only those listed' };
    return [{ kind: 'additional-properties-forbidden', predicate, ...values, breaks: NARROWER }];
  }
  if (was.additional === false && is.additional !== false) {
    // Clients ignore properties that they do not know.
    const predicate = 'may now have properties other than those that are listed.';
    const values = { was: 'only those listed', is: 'other properties' };
    return [{ kind: 'additional-properties-allowed', predicate, ...values, breaks: HARMLESS }];
  }
  return [];
}

function discriminators(was: SchemaView, is: SchemaView): SchemaDifference[] {
  const before = discriminatorOf(was);
  const after = discriminatorOf(is);
  if (before === after || before === null) return [];
  const predicate =
    after === null
      ? `no longer has a discriminator (it was the property ${before}).`
      : `now has the property ${after} as its discriminator (it was ${before}).`;
  const values = { was: before, ...(after === null ? {} : { is: after }) };
  return [{ kind: 'discriminator-changed', predicate, ...values, breaks: EITHER }];
}

function discriminatorOf({ fields }: SchemaView): string | null {
  const discriminator = fields['discriminator'];
  if (typeof discriminator === 'string') return discriminator;
  const name = (discriminator as { propertyName?: unknown } | undefined)?.propertyName;
  return typeof name === 'string' ? name : null;
}

function deprecation(was: SchemaView, is: SchemaView): SchemaDifference[] {
  if (was.isDeprecated || !is.isDeprecated) return [];
  return [
    { kind: 'property-deprecated', predicate: 'is now deprecated.', is: 'deprecated', breaks: HARMLESS },
  ];
}

/** A changed condition may accept fewer values than before, or more. */
function condition(field: string): SchemaRule['find'] {
  return (was, is) => {
    const before = toJson(was.fields[field]);
    const after = toJson(is.fields[field]);
    if (before === after) return [];
    const breaks = after === '' ? WIDER : before === '' ? NARROWER : EITHER;
    const predicate = `now has another condition (${field}).`;
    return [
      { kind: 'condition-changed', predicate, ...changedValues(was.fields[field], is.fields[field]), breaks },
    ];
  };
}
