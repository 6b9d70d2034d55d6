/** Greatest length of the attributes after a heading, in UTF-16 code units; longer ones are text. */
const MAX_LENGTH = 500;

/** An attribute: `#id`, `.class` or `key=value`. */
const ATTRIBUTE = /^(?:[#.][^\s#{}]+|[\w:-]+=\S+)+$/;

/**
 * Splits the attributes at the end from a heading's text, `Title {#id .class key=value}`; the id is null when they set
 * none. Braces with anything else in them are text.
 */
export function splitHeadingAttributes(text: string): { readonly text: string; readonly id: string | null } {
  const trimmed = text.trimEnd();
  const start = trimmed.lastIndexOf('{');
  if (start === -1 || !trimmed.endsWith('}') || trimmed.length - start > MAX_LENGTH)
    return { text, id: null };
  const words = trimmed
    .slice(start + 1, -1)
    .split(/\s+/)
    .filter(Boolean);
  if (words.length === 0 || !words.every((word) => ATTRIBUTE.test(word))) return { text, id: null };
  // A point after `#` is part of the id.
  const id = words.flatMap((word) => /^(?:\.[^\s#]+)?#([^\s#]+)/.exec(word)?.[1] ?? [])[0] ?? null;
  return { text: trimmed.slice(0, start).trimEnd(), id };
}
