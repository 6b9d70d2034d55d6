import type { SchemaView } from '../schema-view.ts';
import type { ChangedValues, ChangeKind } from './spec-change.ts';
import { writeNames, writePlain } from './write-plain.ts';

export interface SchemaFinding extends ChangedValues {
  readonly kind: ChangeKind;
  /** Goes on after what the schema describes: `takes at most 10 characters now (it was 20).` */
  readonly says: string;
  readonly breaks: Breaks;
}

interface Breaks {
  /** For values that clients send. */
  readonly request: boolean;
  /** For values that clients get. */
  readonly response: boolean;
}

export interface SchemaRule {
  readonly find: (was: SchemaView, is: SchemaView) => readonly SchemaFinding[];
}

/** Fewer values are allowed: what clients send may be refused. */
const NARROWER: Breaks = { request: true, response: false };
/** More values are allowed: what clients get may be new to them. */
const WIDER: Breaks = { request: false, response: true };
const EITHER: Breaks = { request: true, response: true };
const HARMLESS: Breaks = { request: false, response: false };

/** What two schemas are compared by, beside the schemas that they hold. A row a rule. */
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

function types(was: SchemaView, is: SchemaView): SchemaFinding[] {
  if (was.isNever !== is.isNever) {
    const says = is.isNever ? 'may have no value at all now.' : 'may have a value now.';
    const values = is.isNever ? { was: 'a value', is: 'none' } : { was: 'none', is: 'a value' };
    return [{ kind: 'type-changed', says, ...values, breaks: is.isNever ? NARROWER : WIDER }];
  }
  const before = plain(was.types);
  const after = plain(is.types);
  // What is of any type takes all of them.
  const gone =
    before === null ? after !== null : after !== null && [...before].some((one) => !takes(after, one));
  const came =
    after === null ? before !== null : before !== null && [...after].some((one) => !takes(before, one));
  if (!gone && !came) return [];
  const says = `was of type ${sayTypes(before)} and is of type ${sayTypes(after)} now.`;
  const breaks = gone && came ? EITHER : gone ? NARROWER : WIDER;
  return [{ kind: 'type-changed', says, was: sayTypes(before), is: sayTypes(after), breaks }];
}

function plain(given: ReadonlySet<string> | null): ReadonlySet<string> | null {
  if (given === null) return null;
  const rest = [...given].filter((one) => one !== 'null');
  return rest.length === 0 && given.size > 0 ? given : new Set(rest);
}

/** Every integer is a number. */
function takes(given: ReadonlySet<string>, one: string): boolean {
  return given.has(one) || (one === 'integer' && given.has('number'));
}

function sayTypes(given: ReadonlySet<string> | null): string {
  return given === null ? 'any' : [...given].join(' or ');
}

function nulls(was: SchemaView, is: SchemaView): SchemaFinding[] {
  const before = was.types === null || was.types.has('null');
  const after = is.types === null || is.types.has('null');
  // Where a type came or went, the sentence about types has said it.
  if (before === after || was.types === null || is.types === null) return [];
  return after
    ? [{ kind: 'null-allowed', says: 'may be null now.', is: 'null', breaks: WIDER }]
    : [{ kind: 'null-forbidden', says: 'may not be null any more.', was: 'null', breaks: NARROWER }];
}

function values(was: SchemaView, is: SchemaView): SchemaFinding[] {
  if (was.values === null && is.values === null) return [];
  if (was.values === null) {
    const only = writeNames(is.values?.map(writePlain) ?? []);
    const says = `takes only ${only} now.`;
    return [{ kind: 'enum-value-removed', says, was: 'any', is: only, breaks: NARROWER }];
  }
  if (is.values === null) {
    const says = 'may have any value now, not only those of a list.';
    const listed = writeNames(was.values.map(writePlain));
    return [{ kind: 'enum-value-added', says, was: listed, is: 'any', breaks: WIDER }];
  }
  const before = new Set(was.values.map(writeWhole));
  const after = new Set(is.values.map(writeWhole));
  const gone = was.values.filter((one) => !after.has(writeWhole(one)));
  const came = is.values.filter((one) => !before.has(writeWhole(one)));
  const findings: SchemaFinding[] = [];
  if (gone.length > 0) {
    const lost = writeNames(gone.map(writePlain));
    const says = `has lost the value ${lost}.`;
    findings.push({ kind: 'enum-value-removed', says, was: lost, breaks: NARROWER });
  }
  if (came.length > 0) {
    const added = writeNames(came.map(writePlain));
    const says = `may have the value ${added} now.`;
    findings.push({ kind: 'enum-value-added', says, is: added, breaks: WIDER });
  }
  return findings;
}

function written(before: unknown, after: unknown): ChangedValues {
  return {
    ...(before === undefined ? {} : { was: writePlain(before) }),
    ...(after === undefined ? {} : { is: writePlain(after) }),
  };
}

function writeWhole(value: unknown): string {
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

function limit(was: SchemaView, is: SchemaView, { field, verb, unit, isNarrower }: Limit): SchemaFinding[] {
  const before = limitOf(was, field);
  const after = limitOf(is, field);
  if (before === after) return [];
  const say = (value: number) => `${verb} ${value}${unit === '' ? '' : ` ${unit}`}`;
  if (after === null) {
    const says = `has no ${field} any more (it was ${before}).`;
    return [{ kind: 'limit-widened', says, was: `${field} ${before}`, breaks: WIDER }];
  }
  if (before === null) {
    const says = `${say(after)} now.`;
    return [{ kind: 'limit-narrowed', says, is: `${field} ${after}`, breaks: NARROWER }];
  }
  const narrower = isNarrower(before, after);
  const says = `${say(after)} now (it was ${before}).`;
  return [
    {
      kind: narrower ? 'limit-narrowed' : 'limit-widened',
      says,
      was: `${field} ${before}`,
      is: `${field} ${after}`,
      breaks: narrower ? NARROWER : WIDER,
    },
  ];
}

/** None has no less than nothing, so a least length of 0 is no limit. */
function limitOf(view: SchemaView, field: string): number | null {
  const value = view.fields[field];
  if (typeof value !== 'number') return null;
  return value === 0 && /^min(?:Length|Items|Properties)$/.test(field) ? null : value;
}

function multiples(was: SchemaView, is: SchemaView): SchemaFinding[] {
  const before = was.fields['multipleOf'];
  const after = is.fields['multipleOf'];
  if (before === after || (typeof before !== 'number' && typeof after !== 'number')) return [];
  if (typeof after !== 'number') {
    const says = `need not be a multiple of ${before} any more.`;
    return [{ kind: 'limit-widened', says, was: `multipleOf ${before}`, breaks: WIDER }];
  }
  const isWider = typeof before === 'number' && before % after === 0;
  const says = `is a multiple of ${after} now.`;
  return [
    {
      kind: isWider ? 'limit-widened' : 'limit-narrowed',
      says,
      ...(typeof before === 'number' ? { was: `multipleOf ${before}` } : {}),
      is: `multipleOf ${after}`,
      breaks: isWider ? WIDER : NARROWER,
    },
  ];
}

function uniqueness(was: SchemaView, is: SchemaView): SchemaFinding[] {
  const before = was.fields['uniqueItems'] === true;
  const after = is.fields['uniqueItems'] === true;
  if (before === after) return [];
  return after
    ? [{ kind: 'limit-narrowed', says: 'has no item twice now.', is: 'uniqueItems', breaks: NARROWER }]
    : [{ kind: 'limit-widened', says: 'may have an item twice now.', was: 'uniqueItems', breaks: WIDER }];
}

/** Which of two patterns takes more nobody can say, so another one is taken for a narrower one. */
function patterns(was: SchemaView, is: SchemaView): SchemaFinding[] {
  const before = was.fields['pattern'];
  const after = is.fields['pattern'];
  if (before === after) return [];
  if (after === undefined) {
    const says = 'has to fit no pattern any more.';
    return [{ kind: 'pattern-changed', says, was: writePlain(before), breaks: HARMLESS }];
  }
  const says = `has to fit the pattern ${writePlain(after)} now.`;
  return [{ kind: 'pattern-changed', says, ...written(before, after), breaks: NARROWER }];
}

const WIDER_FORMATS: Readonly<Record<string, string>> = { int32: 'int64', float: 'double' };

function formats(was: SchemaView, is: SchemaView): SchemaFinding[] {
  const before = was.fields['format'];
  const after = is.fields['format'];
  // Another type has other formats; the change of type is said.
  if (before === after || sayTypes(plain(was.types)) !== sayTypes(plain(is.types))) return [];
  const says =
    after === undefined
      ? `has no format any more (it was ${writePlain(before)}).`
      : `has the format ${writePlain(after)} now${before === undefined ? '' : ` (it was ${writePlain(before)})`}.`;
  const isWider = after === undefined || WIDER_FORMATS[String(before)] === after;
  const isNarrower = before === undefined || WIDER_FORMATS[String(after)] === before;
  const breaks = isWider ? WIDER : isNarrower ? NARROWER : EITHER;
  return [{ kind: 'format-changed', says, ...written(before, after), breaks }];
}

/** Who leaves a value out gets another one. */
function defaults(was: SchemaView, is: SchemaView): SchemaFinding[] {
  const before = was.fields['default'];
  const after = is.fields['default'];
  if (writeWhole(before) === writeWhole(after)) return [];
  const says =
    before === undefined
      ? `has the default ${writePlain(after)} now.`
      : after === undefined
        ? `has no default any more (it was ${writePlain(before)}).`
        : `has the default ${writePlain(after)} now (it was ${writePlain(before)}).`;
  const breaks = { request: before !== undefined, response: false };
  return [{ kind: 'default-changed', says, ...written(before, after), breaks }];
}

function additional(was: SchemaView, is: SchemaView): SchemaFinding[] {
  if (was.additional !== false && is.additional === false) {
    const says = 'may have no properties now but those that are named.';
    const values = { was: 'other properties', is: 'only those named' };
    return [{ kind: 'additional-properties-forbidden', says, ...values, breaks: NARROWER }];
  }
  if (was.additional === false && is.additional !== false) {
    // Clients pass over what they do not know.
    const says = 'may have other properties now than those that are named.';
    const values = { was: 'only those named', is: 'other properties' };
    return [{ kind: 'additional-properties-allowed', says, ...values, breaks: HARMLESS }];
  }
  return [];
}

function discriminators(was: SchemaView, is: SchemaView): SchemaFinding[] {
  const before = discriminatorOf(was);
  const after = discriminatorOf(is);
  if (before === after || before === null) return [];
  const says =
    after === null
      ? `is told apart by no property any more (it was ${before}).`
      : `is told apart by the property ${after} now (it was ${before}).`;
  const values = { was: before, ...(after === null ? {} : { is: after }) };
  return [{ kind: 'discriminator-changed', says, ...values, breaks: EITHER }];
}

function discriminatorOf({ fields }: SchemaView): string | null {
  const said = fields['discriminator'];
  if (typeof said === 'string') return said;
  const name = (said as { propertyName?: unknown } | undefined)?.propertyName;
  return typeof name === 'string' ? name : null;
}

function deprecation(was: SchemaView, is: SchemaView): SchemaFinding[] {
  if (was.isDeprecated || !is.isDeprecated) return [];
  return [{ kind: 'property-deprecated', says: 'is deprecated now.', is: 'deprecated', breaks: HARMLESS }];
}

/** A condition that changed may take less than before, or more. */
function condition(field: string): SchemaRule['find'] {
  return (was, is) => {
    const before = writeWhole(was.fields[field]);
    const after = writeWhole(is.fields[field]);
    if (before === after) return [];
    const breaks = after === '' ? WIDER : before === '' ? NARROWER : EITHER;
    const says = `has another condition (${field}) now.`;
    return [{ kind: 'condition-changed', says, ...written(was.fields[field], is.fields[field]), breaks }];
  };
}
