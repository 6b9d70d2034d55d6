import type { Scalar } from 'yaml';

/** The offsets of a YAML scalar in its text, without its quotes; null when it was not parsed from a text. */
export function scalarSpan(
  text: string,
  { range }: Scalar,
): { readonly start: number; readonly end: number } | null {
  if (range === null || range === undefined) return null;
  const [start, end] = range;
  const isQuoted = /["']/.test(text[start] ?? '') && end - start >= 2;
  return isQuoted ? { start: start + 1, end: end - 1 } : { start, end };
}
