import { setImmediate } from 'node:timers/promises';

/** Items of a list, or fields of an object, that are parsed at once: some milliseconds. */
const ITEMS_PER_PART = 5_000;

/** How far down long lists and objects are found: those of a configuration are below the name of a setting, or of a plugin. */
const MAX_DEPTH = 4;

type Container = unknown[] | Record<string, unknown>;

/** An object as JSON whose long lists and objects are apart, in parts: the facts of one page may be 60 MB. */
export interface JsonParts {
  /** The object, with its long lists and objects empty. */
  readonly object: string;
  readonly long: readonly LongPart[];
}

interface LongPart {
  /** The fields that lead to it. */
  readonly path: readonly string[];
  /** Each is a list or an object of its own. */
  readonly parts: readonly string[];
}

/** Writes an object as JSON, so that `parseParts` need not parse it at once. */
export function writeParts(value: object): JsonParts {
  const long: LongPart[] = [];
  const short = shorten(value, [], long);
  return { object: JSON.stringify(short), long };
}

/** Without what is long, which is added to `long`. */
function shorten(value: unknown, path: readonly string[], long: LongPart[]): unknown {
  if (Array.isArray(value)) {
    if (value.length <= ITEMS_PER_PART) return value;
    long.push({ path, parts: inParts(value, (items) => items) });
    return [];
  }
  if (!isPlain(value)) return value;
  const fields = Object.entries(value);
  if (fields.length > ITEMS_PER_PART) {
    long.push({ path, parts: inParts(fields, Object.fromEntries) });
    return {};
  }
  if (path.length === MAX_DEPTH) return value;
  return Object.fromEntries(fields.map(([name, field]) => [name, shorten(field, [...path, name], long)]));
}

function inParts<Item>(items: readonly Item[], join: (some: readonly Item[]) => object): readonly string[] {
  const parts: string[] = [];
  for (let start = 0; start < items.length; start += ITEMS_PER_PART)
    parts.push(JSON.stringify(join(items.slice(start, start + ITEMS_PER_PART))));
  return parts;
}

/** Others, such as dates, write themselves as JSON. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Parses what `writeParts` wrote, and lets others use the thread between the parts. */
export async function parseParts({ object, long }: JsonParts): Promise<object> {
  const value = JSON.parse(object) as Container;
  for (const { path, parts } of long) {
    const container = path.reduce(
      (outer, name) => (outer as Record<string, Container>)[name] as Container,
      value,
    );
    for (const part of parts) {
      await setImmediate();
      addPart(container, JSON.parse(part) as Container);
    }
  }
  return value;
}

function addPart(container: Container, part: Container): void {
  if (Array.isArray(container)) for (const item of part as unknown[]) container.push(item);
  else
    for (const [name, value] of Object.entries(part)) {
      // Setting it would replace the prototype.
      if (name === '__proto__') Object.defineProperty(container, name, { value, ...OF_JSON });
      else container[name] = value;
    }
}

/** As `JSON.parse` makes fields. */
const OF_JSON = { configurable: true, enumerable: true, writable: true } as const;
