import { setImmediate } from 'node:timers/promises';

/** Items of a list that are parsed at once: some milliseconds. */
const ITEMS_PER_PART = 5_000;

/** An object as JSON whose long lists are apart, in parts: the facts of one page may be 60 MB. */
export interface JsonParts {
  /** The object, with its long lists empty. */
  readonly object: string;
  /** By field. Each part is a list of its own. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
}

/** Writes an object as JSON, so that `parseParts` need not parse it at once. */
export function writeParts(value: object): JsonParts {
  const lists = new Map<string, readonly string[]>();
  const short = { ...value } as Record<string, unknown>;
  for (const [field, list] of Object.entries(value)) {
    if (!Array.isArray(list) || list.length <= ITEMS_PER_PART) continue;
    const parts: string[] = [];
    for (let start = 0; start < list.length; start += ITEMS_PER_PART) {
      parts.push(JSON.stringify(list.slice(start, start + ITEMS_PER_PART)));
    }
    lists.set(field, parts);
    short[field] = [];
  }
  return { object: JSON.stringify(short), lists };
}

/** Parses what `writeParts` wrote, and lets others use the thread between the parts. */
export async function parseParts({ object, lists }: JsonParts): Promise<object> {
  const value = JSON.parse(object) as Record<string, unknown[]>;
  for (const [field, parts] of lists) {
    const list = value[field] ?? [];
    for (const part of parts) {
      await setImmediate();
      for (const item of JSON.parse(part) as unknown[]) list.push(item);
    }
    value[field] = list;
  }
  return value;
}
