import { isObject, type JsonObject, readPointer, valueAt, writePointer } from './pointer.ts';

/** References that are followed before they count as circular. */
const MAX_HOPS = 50;

/** A value in a document and its location. */
export interface Located {
  readonly value: unknown;
  /** A JSON pointer into the document. */
  readonly pointer: string;
}

export interface Resolved extends Located {
  /** The last reference that was followed, as written; null when there was none. */
  readonly reference: string | null;
}

export type Resolve = (node: Located) => Resolved;

/** Follows the references inside one document. The value is undefined when a reference leads to nothing or is circular. */
export function createResolver(document: JsonObject): Resolve {
  const known = new Map<string, Located>();
  const find = (reference: string): Located => {
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
      at = find(reference);
    }
    return { value: undefined, pointer: node.pointer, reference: last };
  };
}

/** The member of an object, or undefined when it has no member with that name. */
export function memberOf(node: Located, key: string): Located | undefined {
  if (!isObject(node.value) || !Object.hasOwn(node.value, key)) return undefined;
  return { value: node.value[key], pointer: `${node.pointer}${writePointer([key])}` };
}

/** The members of an object by name, a reference resolved first; empty for other values. */
export function membersOf(
  target: Located | undefined,
  resolve: Resolve,
): readonly (readonly [string, Located])[] {
  const node = target && resolve(target);
  if (!node || !isObject(node.value)) return [];
  return Object.entries(node.value).map(([key, value]) => [
    key,
    { value, pointer: `${node.pointer}${writePointer([key])}` },
  ]);
}

/** The items of a list; empty for other values. */
export function itemsOf(node: Located | undefined): readonly Located[] {
  if (!node || !Array.isArray(node.value)) return [];
  return node.value.map((value: unknown, at) => ({ value, pointer: `${node.pointer}/${at}` }));
}

/** The name that people use for the target of a reference: the last part of its path, without a file extension. */
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
