import { isInvisible } from '../../identity/index.ts';
import { invalidValue, ScimError } from './scim-error.ts';

/** The longest text that is stored, in characters. */
const MAX_TEXT = 256;

/** More operations than Okta and Entra send in one request. */
const MAX_OPERATIONS = 10_000;

/** One operation of a PATCH (RFC 7644, 3.5.2). */
export interface PatchOperation {
  readonly op: 'add' | 'replace' | 'remove';
  /** Null where the value says by its fields what it is about. */
  readonly path: string | null;
  readonly value: unknown;
}

export type Fields = Readonly<Record<string, unknown>>;

export function readFields(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ScimError(400, 'invalidSyntax', `${name} must be a JSON object.`);
  return value as Fields;
}

/** The field with this name, in any letter case, as SCIM has them. */
export function fieldOf(fields: Fields, name: string): unknown {
  if (Object.hasOwn(fields, name)) return fields[name];
  const lower = name.toLowerCase();
  const found = Object.keys(fields).find((key) => key.toLowerCase() === lower);
  return found === undefined ? undefined : fields[found];
}

/** The operations of a PATCH. Entra writes them with a capital. */
export function readOperations(body: unknown): readonly PatchOperation[] {
  const operations = fieldOf(readFields(body, 'The body'), 'Operations');
  if (!Array.isArray(operations) || operations.length === 0)
    throw new ScimError(400, 'invalidSyntax', 'The body must have a list of Operations with at least one.');
  if (operations.length > MAX_OPERATIONS)
    throw new ScimError(413, null, `A request must have at most ${MAX_OPERATIONS} operations; send several.`);
  return operations.map((item) => {
    const fields = readFields(item, 'An operation');
    const sent = fieldOf(fields, 'op');
    const op = typeof sent === 'string' ? sent.toLowerCase() : '';
    if (op !== 'add' && op !== 'replace' && op !== 'remove')
      throw new ScimError(400, 'invalidSyntax', 'The op of an operation must be add, replace or remove.');
    const path = fieldOf(fields, 'path') ?? null;
    if (path !== null && typeof path !== 'string')
      throw new ScimError(400, 'invalidPath', 'The path of an operation must be a text.');
    if (op === 'remove' && path === null)
      throw new ScimError(400, 'noTarget', 'An operation that removes must have a path.');
    return { op, path, value: fieldOf(fields, 'value') };
  });
}

/** A line of text that is not blank. */
export function readLine(value: unknown, name: string): string {
  if (typeof value !== 'string' || isInvisible(value)) throw invalidValue(name, 'must be a text');
  if (value.length > MAX_TEXT) throw invalidValue(name, `must have at most ${MAX_TEXT} characters`);
  if (!value.isWellFormed() || /[\p{Cc}\u2028\u2029]/u.test(value))
    throw invalidValue(name, 'must be one line without control characters');
  return value;
}

/** The same, or null for what is absent or empty. */
export function readOptionalLine(value: unknown, name: string): string | null {
  return value === undefined || value === null || value === '' ? null : readLine(value, name);
}

/** Entra sends `"False"` unless it is told to follow the standard. */
export function readFlag(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (text !== 'true' && text !== 'false') throw invalidValue(name, 'must be true or false');
  return text === 'true';
}

/** A list, also of one that was sent without its brackets. */
export function readList(value: unknown, name: string, maximum: number): readonly unknown[] {
  if (value === undefined || value === null) return [];
  const list = Array.isArray(value) ? value : [value];
  if (list.length > maximum) throw new ScimError(413, null, `${name} must have at most ${maximum} entries.`);
  return list;
}
