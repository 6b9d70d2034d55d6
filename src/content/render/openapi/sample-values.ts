import type { ContentView, FieldView } from './operation-view.ts';

export type SampleValue =
  | string
  | number
  | boolean
  | null
  | readonly SampleValue[]
  | { readonly [key: string]: SampleValue };

/** A property with those of its object. */
export interface FieldTree {
  readonly field: FieldView;
  readonly inner: readonly FieldTree[];
}

/** Nests fields by their depth. */
export function nestFields(fields: readonly FieldView[]): readonly FieldTree[] {
  const top: FieldTree[] = [];
  const open: { readonly depth: number; readonly inner: FieldTree[] }[] = [];
  for (const field of fields) {
    while ((open.at(-1)?.depth ?? -1) >= field.depth) open.pop();
    const inner: FieldTree[] = [];
    (open.at(-1)?.inner ?? top).push({ field, inner });
    open.push({ depth: field.depth, inner });
  }
  return top;
}

/** Properties beyond this number are left out of a sample, which shows how a value looks. */
const MAX_PROPERTIES = 30;

/** A value of the type that a content has: the author's example, else one that its schema allows. */
export function sampleOfContent({ type, fields, examples = [] }: ContentView): SampleValue {
  const [example] = examples;
  if (example !== undefined) return parsed(example.value);
  const budget = { left: MAX_PROPERTIES };
  const inner = nestFields(fields);
  if (inner.length > 0) return wrapped(type, sampleOfObject(inner, budget));
  return sampleOfType(type);
}

/** A value for a property or parameter: the one that its description names, else one of its type. */
export function sampleOfField({ type, notes }: FieldView): SampleValue {
  return namedIn(notes) ?? sampleOfType(type);
}

function sampleOfObject(tree: readonly FieldTree[], budget: { left: number }): SampleValue {
  const entries: [string, SampleValue][] = [];
  let form: SampleValue | undefined;
  for (const { field, inner } of tree) {
    if (budget.left <= 0) break;
    const isForm = field.role === 'alternative';
    if (isForm && form !== undefined) continue;
    budget.left -= 1;
    const value =
      inner.length > 0 ? wrapped(field.type, sampleOfObject(inner, budget)) : sampleOfField(field);
    if (isForm) form = value;
    else entries.push([field.name, value]);
  }
  // The first of the forms stands for all of them.
  if (entries.length === 0 && form !== undefined) return form;
  const properties = Object.fromEntries(entries);
  return isObject(form) ? { ...properties, ...form } : properties;
}

function isObject(value: SampleValue | undefined): value is { readonly [key: string]: SampleValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wrapped(type: string, value: SampleValue): SampleValue {
  return /^array of /.test(type) ? [value] : /^map of /.test(type) ? { key: value } : value;
}

/** What the constraints of a field say in words: an example, its default, the first of its values. */
function namedIn(notes: readonly string[]): SampleValue | null {
  for (const pattern of [/^example (.+)$/s, /^default (.+)$/s, /^always (.+)$/s, /^one of ([^,]+)/s]) {
    const found = notes.map((note) => pattern.exec(note)?.[1]).find((text) => text !== undefined);
    if (found !== undefined && !found.endsWith('…')) return parsed(found);
  }
  return null;
}

function parsed(text: string): SampleValue {
  try {
    return JSON.parse(text) as SampleValue;
  } catch {
    return text;
  }
}

const BY_FORMAT: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  email: 'name@example.com',
  uri: 'https://example.com',
  url: 'https://example.com',
  uuid: '3f1c9b1e-5d0a-4c0b-9b43-6a1f0c2d7e58',
};

function sampleOfType(written: string): SampleValue {
  const type = written.split(' or ', 1)[0] ?? '';
  const format = /\(([^)]*)\)/.exec(type)?.[1] ?? '';
  if (type.startsWith('array of ')) return [sampleOfType(type.slice('array of '.length))];
  if (type.startsWith('map of ')) return { key: sampleOfType(type.slice('map of '.length)) };
  if (type.startsWith('string')) return BY_FORMAT[format] ?? 'text';
  if (/^(?:integer|number)/.test(type)) return 1;
  if (type.startsWith('boolean')) return true;
  return type === 'null' ? null : {};
}

export function textOfValue(value: SampleValue): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
