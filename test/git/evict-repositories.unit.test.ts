import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { evictRepositories, recordUse } from '../../src/git/evict-repositories.ts';

const hourMs = 60 * 60 * 1000;
const signal = AbortSignal.timeout(60_000);
let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'docloom-budget-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** A folder with repositories of 1,000 bytes each, and the hours since their last use. */
async function cacheOf(name: string, hours: readonly number[], suffix = '.git'): Promise<string> {
  const directory = join(root, name);
  for (const [at, age] of hours.entries()) {
    const folder = join(directory, `${`${at}`.repeat(64)}${suffix}`);
    await mkdir(join(folder, 'objects', 'pack'), { recursive: true });
    await writeFile(join(folder, 'objects', 'pack', 'a.pack'), Buffer.alloc(1_000));
    await recordUse(folder);
    const then = new Date(Date.now() - age * hourMs);
    await utimes(join(folder, 'docloom-used'), then, then);
  }
  return directory;
}

async function left(directory: string): Promise<string> {
  const names = await readdir(directory);
  return names
    .map((name) => name[0])
    .sort()
    .join('');
}

it.each([
  ['the longest unused first, until the rest fits', [3, 9, 5, 0, 7], 2_000, '03'],
  ['none while all fit', [3, 9, 5], 3_000, '012'],
  ['those that were not used for 30 days, although all fit', [29 * 24, 31 * 24, 5], 3_000, '02'],
  ['none that was used lately, even above the budget', [0, 0.5, 9], 500, '01'],
])('removes %s', async (name, hours, maxBytes, expected) => {
  const directory = await cacheOf(name, hours);
  await evictRepositories({ directory, maxBytes, restMs: hourMs }, signal);
  expect(await left(directory)).toBe(expected);
});

it.each(['.git', '.packs.git', '.isomorphic.git'])(
  'removes the folders %s, of whichever program',
  async (suffix) => {
    const directory = await cacheOf(suffix, [9, 0], suffix);
    await evictRepositories({ directory, maxBytes: 1_000, restMs: hourMs }, signal);
    expect(await left(directory)).toBe('1');
  },
);

it('removes those into which nothing was fetched, but none that was opened lately', async () => {
  const directory = await cacheOf('empty', [9, 0, 9]);
  for (const at of ['0', '1']) await rm(join(directory, `${at.repeat(64)}.git`, 'objects', 'pack', 'a.pack'));
  await evictRepositories({ directory, maxBytes: 10_000, restMs: hourMs }, signal);
  expect(await left(directory)).toBe('12');
});

it('is safe when several processes do it at once, and removes what a killed process left', async () => {
  const directory = await cacheOf('several', [9, 8, 7, 6]);
  await mkdir(join(directory, `${'a'.repeat(64)}.git.x.gone`, 'objects'), { recursive: true });
  const budget = { directory, maxBytes: 1_000, restMs: hourMs };
  const removed = (await Promise.all([1, 2, 3].map(() => evictRepositories(budget, signal)))).flat();
  expect(removed.length).toBe(new Set(removed).size);
  expect(await left(directory)).toBe('3');
});

it('removes drafts and locks that killed processes left, but no fresh ones', async () => {
  const directory = await cacheOf('drafts', [3]);
  const name = `${'a'.repeat(64)}.git`;
  const drafts = [`${name}.1f2e`, `${name}.lock.1f2e`, `${name}.3d4c`];
  for (const draft of drafts) await mkdir(join(directory, draft));
  const then = new Date(Date.now() - 25 * hourMs);
  for (const draft of drafts.slice(0, 2)) await utimes(join(directory, draft), then, then);
  await evictRepositories({ directory, maxBytes: 10_000, restMs: hourMs }, signal);
  expect((await readdir(directory)).sort()).toEqual([`${'0'.repeat(64)}.git`, drafts[2]]);
});

it('records no use of a folder that no longer exists', async () => {
  expect(await recordUse(join(root, 'nothing'))).toBe(false);
});
