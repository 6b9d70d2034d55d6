import { type FoundDestination, findDestinations } from './find-destinations.ts';

/** A GitBook block whose body says its link again, as a tag or in its HTML form. */
const REPEATING =
  /^(?:\{%-?\s{0,20}(?:content-ref|openapi|swagger)\s|<(?:div|span)\s[^<>]*data-gb-custom-block)/i;

const END = /\{%-?\s{0,20}end(?:content-ref|openapi|swagger)\b|<\/(?:div|span)>/i;

/** Longer bodies hold more than a link. */
const MAX_BODY = 4_000;

/**
 * Where the body of a block, which begins at `start` behind its tag, says the tag's destination a second time and
 * nothing else: `[a.md](a.md)`. Offsets are those of the source. People read the body on GitHub, so both must agree.
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
  const [found, ...others] = findDestinations(link, target);
  if (found === undefined || others.length > 0) return null;
  const offset = start + body.indexOf(link);
  return { ...found, start: offset + found.start, end: offset + found.end };
}
