import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withFolderLock } from '../../src/git/folder-lock.ts';

let dir: string;
let folder: string;
let lock: string;
const never = new AbortController().signal;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'docloom-lock-'));
  folder = join(dir, 'repo.git');
  lock = `${folder}.lock`;
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** A process that has ended, so its id is nobody's. */
function deadPid(): number {
  return spawnSync(process.execPath, ['--version']).pid;
}

describe('withFolderLock', () => {
  it('runs calls of this process one after the other, in order, whatever they throw', async () => {
    const events: string[] = [];
    const results = await Promise.allSettled(
      [1, 2, 3].map((n) =>
        withFolderLock(folder, never, async () => {
          events.push(`${n} starts`);
          await stat(lock);
          events.push(`${n} ends`);
          if (n === 2) throw new Error('two');
        }),
      ),
    );
    expect(events).toEqual(['1 starts', '1 ends', '2 starts', '2 ends', '3 starts', '3 ends']);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await readdir(dir)).toEqual([]);
  });

  it.each([
    ['a process that ended', () => ({ host: hostname(), pid: deadPid(), process: 'x' })],
    ['an earlier process with this id', () => ({ host: hostname(), pid: process.pid, process: 'x' })],
  ])('takes over from %s', async (_name, holder) => {
    await writeFile(lock, JSON.stringify(holder()));
    expect(await withFolderLock(folder, never, async () => 'mine')).toBe('mine');
    expect(await readdir(dir)).toEqual([]);
  });

  it('takes over the lock of a machine without a heartbeat', async () => {
    await writeFile(lock, JSON.stringify({ host: 'elsewhere', pid: 1, process: 'x' }));
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(lock, longAgo, longAgo);
    expect(await withFolderLock(folder, never, async () => 'mine')).toBe('mine');
  });

  it.each([
    ['another machine', { host: 'elsewhere', pid: 1, process: 'x' }],
    ['a living process', { host: hostname(), pid: process.ppid, process: 'x' }],
  ])('waits for %s until its signal aborts', async (_name, holder) => {
    await writeFile(lock, JSON.stringify(holder));
    await expect(withFolderLock(folder, AbortSignal.timeout(120), async () => 'mine')).rejects.toThrow();
    expect(await readdir(dir)).toEqual(['repo.git.lock']);
  });

  it('lets the next caller in when a waiting one gives up', async () => {
    const first = Promise.withResolvers<void>();
    const holding = withFolderLock(folder, never, () => first.promise);
    const controller = new AbortController();
    const waiting = withFolderLock(folder, controller.signal, async () => 'second');
    const third = withFolderLock(folder, never, async () => 'third');
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    first.resolve();
    await holding;
    expect(await third).toBe('third');
  });
});
