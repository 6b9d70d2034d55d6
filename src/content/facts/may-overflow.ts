import type { Reading } from '../parse/index.ts';

/**
 * The stack that one occurrence may take in the parser of MDX, in bytes, and a half more than was measured with 70 kinds of
 * nested code: brackets, operators, and words that statements and operators begin with.
 */
const BRACKET = 2_200;
const WORD = 2_200;
const OPERATOR = 900;

/** Of the 8 MB that the main thread of a process has on Linux and macOS; the engine takes up to 1 MB. */
const MAX_STACK = 6 * 1024 * 1024;

const WORDS =
  /\b(?:async|await|case|catch|class|delete|do|else|extends|finally|for|function|get|if|import|new|set|switch|throw|try|typeof|void|while|with|yield)\b/g;

/** What each byte may take. */
const COSTS = new Uint16Array(256);
for (const bracket of '([{`') COSTS[bracket.charCodeAt(0)] = BRACKET;
for (const operator of '!%&*+-/:<=>?@^|~') COSTS[operator.charCodeAt(0)] = OPERATOR;

/**
 * Whether the parser of MDX, native code that recurses without a limit, could overflow its stack, whatever part of the page
 * it takes for code. No page for which this is false can; most for which it is true do not. Takes linear time.
 */
export function mayOverflow({ options }: Reading, bytes: Uint8Array): boolean {
  // Each character takes at most as much as a bracket.
  if (options?.syntax !== 'mdx' || bytes.length * BRACKET <= MAX_STACK) return false;
  let stack = 0;
  for (const byte of bytes) stack += COSTS[byte] ?? 0;
  if (stack > MAX_STACK) return true;
  for (const _ of Buffer.from(bytes).toString('latin1').matchAll(WORDS)) stack += WORD;
  return stack > MAX_STACK;
}
