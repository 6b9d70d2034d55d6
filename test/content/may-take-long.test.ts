import { expect, it } from 'vitest';
import { findReading, mayTakeLong } from '../../src/content/index.ts';

const isSuspect = async (reading: string, page: string) =>
  mayTakeLong((await findReading(reading)) ?? expect.fail(), new TextEncoder().encode(page));

it.each(['<a b={', '<a.b c={', '<a\nb={', '<a b="}" c={', '<>{', '<a b={/}/,'])(
  'suspects MDX in which many %s are open',
  async (part) => {
    expect(await isSuspect('docusaurus', part.repeat(40))).toBe(true);
    expect(await isSuspect('docusaurus', part.repeat(8))).toBe(false);
    expect(await isSuspect('vitepress', part.repeat(40))).toBe(false);
  },
);

it('suspects no page of elements that are closed, and none without code', async () => {
  expect(
    await isSuspect('docusaurus', '<Card title={a}>\n\nwords\n\n</Card>\n\n<Badge />\n\n'.repeat(200)),
  ).toBe(false);
  expect(await isSuspect('docusaurus', 'words <a> '.repeat(200))).toBe(false);
});
