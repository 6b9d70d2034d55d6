import { type FoundDestination, findDestinations } from './find-destinations.ts';

/** A GitBook block whose body repeats its link, as a tag or in its HTML form. */
const REPEATING =
  /^(?:\{%-?\s{0,20}(?:content-ref|openapi|swagger)\s|<(?:div|span)\s[^<>]*data-gb-custom-block)/i;

const END = /\{%-?\s{0,20}end(?:content-ref|openapi|swagger)\b|<\/(?:div|span)>/i;

/** Longer bodies contain more than a link. */
const MAX_BODY = 4_000;

/**
 * Finds the tag's destination in the body of a block, which begins at `start` after the tag, when the body is only a link
 * to it: `[a.md](a.md)`. Offsets are those of the source. GitHub shows the body to people, so both must agree.
 */
export function findRepetition(
  source: string,
  tag: string,
  start: number,
  target: string,
): FoundDestination | null {
  if (!REPEATING.test(tag)) return null;
  const rest = source.slice(start, start + MAX_BODY);
  const end = rest.search(END);
  if (end === -1) return null;
  const body = rest.slice(0, end);
  const link = body.trim();
  if (!link.startsWith('[') || link.includes('\n\n')) return null;
  const [found, ...further] = findDestinations(link, target);
  if (found === undefined || further.length > 0) return null;
  const offset = start + body.indexOf(link);
  return { ...found, start: offset + found.start, end: offset + found.end };
}
