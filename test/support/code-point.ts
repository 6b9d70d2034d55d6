import fc from 'fast-check';

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;
const LAST = 0x10ffff;

/**
 * Any character of Unicode, as the `unit` of `fc.string`. The `'binary'` of fast-check means the same, but first makes a
 * table of all of them, which takes a second and 100 MB in each worker.
 */
export const codePoint: fc.Arbitrary<string> = fc
  .nat(LAST - SURROGATES)
  .map((at) => String.fromCodePoint(at < FIRST_SURROGATE ? at : at + SURROGATES), toIndex);

/** For strings that fast-check tries by itself, such as `__proto__`. */
function toIndex(text: unknown): number {
  const [character, ...more] = typeof text === 'string' ? text : '';
  const at = character?.codePointAt(0);
  if (at === undefined || more.length > 0) throw new TypeError('This is not one character.');
  return at < FIRST_SURROGATE ? at : at - SURROGATES;
}
