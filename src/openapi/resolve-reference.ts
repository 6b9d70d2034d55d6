import { isObject, type JsonObject, readPointer, valueAt, writePointer } from './pointer.ts';

/** References behind one another before they count as a circle. */
const MAX_HOPS = 50;

/** A value of a document, and where it stands. */
export interface Located {
  readonly value: unknown;
  /** A JSON pointer into the document. */
  readonly pointer: string;
}

export interface Resolved extends Located {
  /** The last reference on the way, as written; null where there was none. */
  readonly reference: string | null;
}

export type Resolve = (node: Located) => Resolved;

/** Follows the references inside of one document. What leads nowhere, or in a circle, is undefined. */
export function createResolver(document: JsonObject): Resolve {
  const known = new Map<string, Located>();
  const look = (reference: string): Located => {
    const found = known.get(reference);
    if (found) return found;
    const parts = reference.startsWith('#') ? readPointer(decode(reference.slice(1))) : null;
    const located =
      parts === null
        ? { value: undefined, pointer: '' }
        : { value: valueAt(document, parts), pointer: writePointer(parts) };
    known.set(reference, located);
    return located;
  };
  return (node) => {
    let at = node;
    let last: string | null = null;
    for (let hops = 0; hops < MAX_HOPS; hops++) {
      const reference = isObject(at.value) ? at.value['$ref'] : undefined;
      if (typeof reference !== 'string') return { ...at, reference: last };
      last = reference;
      at = look(reference);
    }
    return { value: undefined, pointer: node.pointer, reference: last };
  };
}

/** The member of an object, or undefined where it has none of that name. */
export function memberOf(node: Located, key: string): Located | undefined {
  if (!isObject(node.value) || !Object.hasOwn(node.value, key)) return undefined;
  return { value: node.value[key], pointer: `${node.pointer}${writePointer([key])}` };
}

/** The members of an object by their names, also behind a reference; nothing of what is none. */
export function membersOf(
  given: Located | undefined,
  resolve: Resolve,
): readonly (readonly [string, Located])[] {
  const node = given && resolve(given);
  if (!node || !isObject(node.value)) return [];
  return Object.entries(node.value).map(([key, value]) => [
    key,
    { value, pointer: `${node.pointer}${writePointer([key])}` },
  ]);
}

/** The items of a list; nothing of what is none. */
export function itemsOf(node: Located | undefined): readonly Located[] {
  if (!node || !Array.isArray(node.value)) return [];
  return node.value.map((value: unknown, at) => ({ value, pointer: `${node.pointer}/${at}` }));
}

/** What people call the thing that a reference leads to: the last part of its way, without the ending of a file. */
export function nameOfReference(reference: string): string {
  const parts = readPointer(decode(reference.slice(reference.indexOf('#') + 1))) ?? [];
  const last = parts.at(-1) ?? reference;
  return parts.length === 2 ? last.replace(/^.*\//, '').replace(/\.(?:ya?ml|json)$/i, '') : last;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
