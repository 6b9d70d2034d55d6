/** Attributes behind a heading are no longer than this. */
const MAX_LENGTH = 500;

/** One attribute: `#id`, `.class` or `key=value`. */
const ATTRIBUTE = /^(?:[#.][^\s#.{}]+|[\w:-]+=\S+)+$/;

/**
 * Splits a heading's text from the attributes at its end, `Title {#id .class key=value}`; the id is null where they give
 * none. Braces with anything else in them are text.
 */
export function splitHeadingAttributes(text: string): { readonly text: string; readonly id: string | null } {
  const end = text.trimEnd();
  const start = end.lastIndexOf('{');
  if (start === -1 || !end.endsWith('}') || end.length - start > MAX_LENGTH) return { text, id: null };
  const words = end
    .slice(start + 1, -1)
    .split(/\s+/)
    .filter(Boolean);
  if (words.length === 0 || !words.every((word) => ATTRIBUTE.test(word))) return { text, id: null };
  const id = words.flatMap((word) => /^(?:\.[^\s#.]+)*#([^\s#.]+)/.exec(word)?.[1] ?? [])[0] ?? null;
  return { text: end.slice(0, start).trimEnd(), id };
}
