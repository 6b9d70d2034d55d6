import { expect, it } from 'vitest';
import { parseParts, writeParts } from '../../src/threads/content/json-parts.ts';
import { turnsDuring } from '../support/turns-during.ts';

it('parses what it wrote, whatever lists and objects are long, and wherever they are', async () => {
  const long = Array.from({ length: 12_001 }, (_, at) => ({ at, text: `a${at}` }));
  const wide = Object.fromEntries(
    long.map(({ at, text }) => [at % 7 === 0 ? String(20_000 - at) : text, at]),
  );
  const own = JSON.parse(`{ "__proto__": 1, ${JSON.stringify(wide).slice(1)}`);
  for (const value of [
    {},
    { a: null, b: [] },
    { a: 'x', long },
    { long, other: long.slice(0, 5_001), c: [1] },
    { values: { nav: long, extra: { redirects: wide }, c: null }, error: null },
    { a: { b: { c: { d: { e: long } } } }, f: [long] },
    { values: own, date: new Date(0), none: undefined },
    wide,
  ]) {
    const read = await parseParts(structuredClone(writeParts(value)));
    expect(JSON.stringify(read)).toBe(JSON.stringify(value));
    expect(read).toEqual(JSON.parse(JSON.stringify(value)));
  }
});

const many = Array.from({ length: 100_000 }, (_, at) => at);

it.each([
  ['a long list', { many }],
  ['a long list within', { values: { nav: many } }],
  ['a long object within', { values: { redirects: Object.fromEntries(many.map((at) => [`a${at}`, at])) } }],
])('lets others use the thread while it parses %s', async (_, value) => {
  const parts = writeParts(value);
  expect((await turnsDuring(parseParts(parts))).turns).toBeGreaterThanOrEqual(10);
});
