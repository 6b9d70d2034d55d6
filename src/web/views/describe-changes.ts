/** A field that an event names. */
export interface DescribedChange {
  readonly field: string;
  /** Null for a field that was not there before. */
  readonly from: string | null;
  /** Null for a field that is not there any more. */
  readonly to: string | null;
}

/** In characters, of one value. */
const LONGEST = 300;

/** The fields of an event before and after, in words for people, in the order in which they are first named. */
export function describeChanges(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): readonly DescribedChange[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields.map((field) => ({
    field: toWords(field),
    from: field in before ? describeValue(before[field]) : null,
    to: field in after ? describeValue(after[field]) : null,
  }));
}

/** `default role` of `defaultRole`. */
function toWords(field: string): string {
  return field.replace(/(?<=[a-z\d])[A-Z](?![A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
}

function describeValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (value === true) return 'yes';
  if (value === false) return 'no';
  const text = Array.isArray(value) ? value.map(describeItem).join(', ') || 'none' : describeItem(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text;
}

function describeItem(item: unknown): string {
  if (isPlain(item)) return String(item);
  return isNamed(item)
    ? `${item.name}${item.role === undefined ? '' : ` (${item.role})`}`
    : JSON.stringify(item);
}

/** Somebody or something that an event names beside its id. */
function isNamed(value: unknown): value is { readonly name: string; readonly role?: string } {
  if (typeof value !== 'object' || value === null) return false;
  const { id, name, role } = value as Readonly<Record<string, unknown>>;
  return typeof id === 'string' && typeof name === 'string' && ['string', 'undefined'].includes(typeof role);
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
