import { describe } from 'vitest';

/**
 * Tests that shake the whole product for long. They run in CI and where somebody gives them a size (`isWished`); elsewhere
 * they are left out with a line that says so, so that `npm test` stays short: what they try together others try piece by
 * piece.
 */
export function describeAtLength(name: string, isWished: boolean, body: () => void): void {
  if (isWished || process.env['CI'] !== undefined) {
    describe(name, body);
    return;
  }
  console.warn(`Left out “${name}”: CI runs it, and so does \`CI=true npm test\`.`);
  describe.skip(name, body);
}
