import type { Reading } from '../parse/index.ts';

/** Elements that are open in code double the time that the parser of MDX takes, each, where it is invalid: 16 take 0.1 s. */
const MAX_OPEN = 16;

const HAS_CODE = /\{|^[ \t]*(?:im|ex)port/m;
const TAGS = /<[A-Za-z$_>\x80-\xff]|<\/|\/>/g;

/**
 * Whether so many elements may be open in the code of an MDX page that the parser takes exponential time, whatever part of
 * the page it takes for code. Most pages for which this is true are harmless. Takes linear time.
 */
export function mayTakeLong({ options }: Reading, bytes: Uint8Array): boolean {
  if (options?.syntax !== 'mdx') return false;
  const source = Buffer.from(bytes).toString('latin1');
  if (!HAS_CODE.test(source)) return false;
  let open = 0;
  for (const [tag] of source.matchAll(TAGS)) {
    if (tag === '</' || tag === '/>') open = Math.max(0, open - 1);
    else open += 1;
    if (open > MAX_OPEN) return true;
  }
  return false;
}
