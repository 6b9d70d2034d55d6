import { fork } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { describe, expect, test } from 'vitest';
import { createThreadRunner } from '../../src/threads/index.ts';
import { testAtLength } from '../support/describe-at-length.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { waitFor } from '../support/wait-for.ts';

/** The processes that a process started. */
function childrenOf(pid: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid;
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** In ms of processor time. */
function timeOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** How far the threads of a process stand behind this one, by the system's own numbers. */
function nicenessOf(pid: number): readonly number[] {
  return readdirSync(`/proc/${pid}/task`).map((task) => {
    const stat = readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]) - getPriority();
  });
}

describe.runIf(process.platform === 'linux')('a thread', () => {
  test('goes behind the process that answers, and further behind where nobody waits for it', async () => {
    for (const [niceness, expected] of [
      ['none', 0],
      ['forReaders', 5],
      ['inBackground', 10],
    ] as const) {
      const before = new Set(childrenOf(process.pid));
      const runner = createThreadRunner<null, null, number, number>(
        new URL('./waiting-thread.ts', import.meta.url),
        { timeoutMs: PATIENCE_MS, memoryMb: 64 },
        { niceness },
      );
      let found: readonly number[] = [];
      await runner.run(null, async () => {
        const [child = 0] = childrenOf(process.pid).filter((pid) => !before.has(pid));
        found = nicenessOf(child);
        return 0;
      });
      await runner.close();
      // Those of the engine, which collects garbage, with its main one.
      expect(found.length).toBeGreaterThan(3);
      expect([...new Set(found)]).toEqual([expected]);
    }
  });

  testAtLength('that works without end does not outlive its runner, however that one ends', async () => {
    const runner = fork(new URL('./busy-runner.ts', import.meta.url));
    const pid = runner.pid ?? expect.fail();
    const [child = 0] = await waitFor(() => {
      const children = childrenOf(pid);
      return children.length === 0 ? null : children;
    });
    // Until it works: then it has no turn in which it could see anything.
    await waitFor(() => (timeOf(child) > 2_000 ? true : null));
    runner.kill('SIGKILL');
    await waitFor(() => (existsSync(`/proc/${child}`) ? null : true));
  });

  testAtLength('may wait longer than it may work', async () => {
    const runner = createThreadRunner<number, null, number, number>(
      new URL('./waiting-thread.ts', import.meta.url),
      { timeoutMs: 1_000, waitMs: PATIENCE_MS, memoryMb: 64 },
    );
    const { promise, resolve } = Promise.withResolvers<number>();
    setTimeout(() => resolve(7), 2_500);
    expect(await runner.run(0, () => promise)).toBe(7);
    await expect(runner.run(PATIENCE_MS, async () => 7)).rejects.toMatchObject({
      code: 'TIMEOUT',
      isCertain: true,
    });
    await runner.close();
  });

  testAtLength(
    'that somebody else ends is started again, and that is not called the fault of its task',
    async () => {
      const runner = createThreadRunner<'once' | 'always', number, number, string>(
        new URL('./killed-thread.ts', import.meta.url),
        { timeoutMs: PATIENCE_MS, memoryMb: 64 },
      );
      let started = 0;
      const count = async () => {
        started += 1;
        return started;
      };
      expect(await runner.run('once', count)).toBe('done');
      expect(started).toBe(2);
      await expect(runner.run('always', count)).rejects.toMatchObject({ code: 'CRASHED', isCertain: false });
      await runner.close();
    },
  );
});
