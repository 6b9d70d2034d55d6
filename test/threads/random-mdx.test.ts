import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { findReading, mayOverflow } from '../../src/content/index.ts';
import { createContentThreads } from '../../src/threads/content/content-threads.ts';
import { createThreadRunner } from '../../src/threads/index.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { propertyRuns } from '../support/property-runs.ts';
import { randomMdx } from './random-mdx.ts';

const parser = createThreadRunner<string, never, never, string>(
  new URL('./crashing-thread.ts', import.meta.url),
  { timeoutMs: PATIENCE_MS, memoryMb: 768 },
);
const threads = createContentThreads({ timeoutMs: 1_000, waitMs: PATIENCE_MS, memoryMb: 768 });
afterAll(async () => {
  await parser.close();
  await threads.close();
});

test('no MDX that is read without another process crashes the parser', async () => {
  const reading = (await findReading('docusaurus')) ?? expect.fail();
  await fc.assert(
    fc.asyncProperty(randomMdx({ hasElements: false }), async (page) => {
      fc.pre(!mayOverflow(reading, new TextEncoder().encode(page)));
      expect(await parser.run(page)).toBe('root');
    }),
    { ...propertyRuns(30), maxSkipsPerRun: 1_000 },
  );
});

test('whatever MDX is read in another process has facts', async () => {
  const reading = (await findReading('docusaurus')) ?? expect.fail();
  await fc.assert(
    fc.asyncProperty(randomMdx({ hasElements: true }), async (page) => {
      const facts = await threads.readFacts(reading, new TextEncoder().encode(page));
      expect(facts).toHaveProperty('references');
    }),
    propertyRuns(8),
  );
});

test.each([
  '(',
  '[',
  '{a:',
  '!',
  'a=>',
  '`${',
  'class a extends ',
  'function(){',
  '(a=',
  'do ',
  'if(a);else ',
])('a page of %s that overflows the stack is found before it is read', async (part) => {
  const reading = (await findReading('docusaurus')) ?? expect.fail();
  const page = (count: number) => `export const f=()=>{${part.repeat(count)}`;
  const mayCrash = (count: number) => mayOverflow(reading, new TextEncoder().encode(page(count)));
  let count = 1;
  while (!mayCrash(count * 2)) count *= 2;
  expect(await parser.run(page(count))).toBe('root');
});
