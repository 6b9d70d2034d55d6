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
  const text = Array.isArray(value)
    ? value.map((item) => (isPlain(item) ? String(item) : JSON.stringify(item))).join(', ') || 'none'
    : isPlain(value)
      ? String(value)
      : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text;
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
