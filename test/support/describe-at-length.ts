import { describe, test } from 'vitest';

/**
 * Tests that shake the whole product for long. They run in CI and where somebody gives them a size (`isWished`); elsewhere
 * they are left out with a line that says so, so that `npm test` stays short: what they try together others try piece by
 * piece.
 */
export function describeAtLength(name: string, isWished: boolean, body: () => void): void {
  if (isWished || isAtLength()) {
    describe(name, body);
    return;
  }
  tellLeftOut(name);
  describe.skip(name, body);
}

/** One test that only CI runs, like those of {@link describeAtLength}: what it decides a cheaper test decides, too. */
export function testAtLength(name: string, body: () => unknown, timeoutMs?: number): void {
  if (isAtLength()) {
    test(name, body, timeoutMs);
    return;
  }
  tellLeftOut(name);
  test.skip(name, body);
}

/** The cases of a table: everywhere those of `always`, and in CI also those that take the same ways in another manner. */
export function casesAtLength<T, U = T>(
  name: string,
  always: readonly T[],
  others: readonly U[],
): readonly (T | U)[] {
  if (isAtLength()) return [...always, ...others];
  tellLeftOut(name);
  return always;
}

/** Whether to try all of what a test derives, rather than a part. */
export function isWhole(name: string): boolean {
  if (!isAtLength()) tellLeftOut(name);
  return isAtLength();
}

function isAtLength(): boolean {
  return process.env['CI'] !== undefined;
}

export function tellLeftOut(name: string): void {
  console.warn(`Left out “${name}”: CI runs it, and so does \`CI=true npm test\`.`);
}
