/** JSON pointers (RFC 6901), and the way to a value as the walk over a description keeps it. */

/** The way from the root of a file to a value: cheap to extend, and written out only where somebody asks. */
export interface Way {
  readonly above: Way | null;
  readonly key: string;
}

export function partsOf(way: Way | null): string[] {
  const parts: string[] = [];
  for (let at = way; at !== null; at = at.above) parts.push(at.key);
  return parts.reverse();
}

export function writePointer(parts: readonly string[]): string {
  return parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The parts of a pointer; null for a text that is none. */
export function readPointer(pointer: string): string[] | null {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) return null;
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value at the end of the way, or undefined where it does not lead to one. */
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
