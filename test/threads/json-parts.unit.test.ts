import { expect, it } from 'vitest';
import { parseParts, writeParts } from '../../src/threads/content/json-parts.ts';
import { turnsDuring } from '../support/turns-during.ts';

it('parses what it wrote, whatever lists are long', async () => {
  const long = Array.from({ length: 12_001 }, (_, at) => ({ at, text: `a${at}` }));
  for (const value of [
    {},
    { a: null, b: [] },
    { a: 'x', long },
    { long, other: long.slice(0, 5_001), c: [1] },
  ]) {
    expect(await parseParts(structuredClone(writeParts(value)))).toEqual(value);
  }
});

it('lets others use the thread while it parses', async () => {
  const parts = writeParts({ long: Array.from({ length: 100_000 }, (_, at) => at) });
  expect((await turnsDuring(parseParts(parts))).turns).toBeGreaterThanOrEqual(10);
});
