/** JSON pointers (RFC 6901), and the path to a value as a linked list. */

/** The path from the root of a file to a value: cheap to extend while walking; `partsOf` turns it into an array. */
export interface ValuePath {
  readonly parent: ValuePath | null;
  readonly key: string;
}

export function partsOf(path: ValuePath | null): string[] {
  const parts: string[] = [];
  for (let at = path; at !== null; at = at.parent) parts.push(at.key);
  return parts.reverse();
}

export function writePointer(parts: readonly string[]): string {
  return parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The parts of a pointer; null for a text that is not a pointer. */
export function readPointer(pointer: string): string[] | null {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) return null;
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value at a path, or undefined when there is none. */
export function valueAt(root: unknown, parts: readonly string[]): unknown {
  let value = root;
  for (const part of parts) {
    if (Array.isArray(value)) value = /^(?:0|[1-9]\d{0,9})$/.test(part) ? value[Number(part)] : undefined;
    else if (isObject(value) && Object.hasOwn(value, part)) value = value[part];
    else return undefined;
  }
  return value;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
