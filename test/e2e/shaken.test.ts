/** Imports, exports and edits in any order, with the server and its database killed in between: nothing is lost or done twice. */
import { expect, it } from 'vitest';
import { describeAtLength } from '../support/describe-at-length.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { openShakenSpace } from './support/shaken-space.ts';
import { useStage } from './support/stage.ts';

/** At full size, which takes some minutes: `SHAKEN_OPERATIONS=200 SHAKEN_KILLS=30`. */
const count = Number(process.env['SHAKEN_OPERATIONS'] ?? 6);
const kills = Number(process.env['SHAKEN_KILLS'] ?? 1);
const seed = Number(process.env['SHAKEN_SEED'] ?? 1);

/** The same numbers for the same seed: mulberry32, a generator in the public domain. */
function dice(start: number): (sides: number) => number {
  let state = start;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * sides);
  };
}

describeAtLength('a shaken space', process.env['SHAKEN_OPERATIONS'] !== undefined, () => {
  const stage = useStage();

  it(`${count} imports and exports with ${kills} kills end as the branch, each commit once`, {
    timeout: 2 * PATIENCE_MS + count * 20_000,
  }, async () => {
    const roll = dice(seed);
    const space = await openShakenSpace(stage());
    await space.push(0, 'first');
    await space.sync('import', new Date(), 'first');
    const times = [new Date()];
    for (let turn = 0; turn < count; turn += 1) {
      if (roll(3) === 0) await space.push(roll(4), `${turn}`);
      if (roll(3) === 0) await space.edit(roll(4), `${turn}`);
      // Late, early, or the time of another event.
      const time = roll(3) === 0 ? times[roll(times.length)] : new Date(Date.now() - roll(3) * roll(20_000));
      times.push(time as Date);
      const direction = roll(2) === 0 ? 'import' : 'export';
      await space.sync(direction, time as Date, `${turn}`);
      if (roll(4) === 0) await space.sync(direction, time as Date, `${turn}`);
      for (let looks = roll(6); looks > 0; looks -= 1) await space.ask('GET', '/user');
      const isKilled = Math.floor(((turn + 1) * kills) / count) > Math.floor((turn * kills) / count);
      if (isKilled && turn % 2 === 0) space.killDatabase();
      else if (isKilled) await space.killServer();
    }

    const settled = async () => (await space.operations()).every(({ state }) => state !== 'running');
    const finish = async (direction: 'import' | 'export') => {
      await expect.poll(settled, { timeout: PATIENCE_MS, interval: 100 }).toBe(true);
      await space.insist('GET', '/user');
      const before = (await space.operations()).length;
      await space.sync(direction, new Date(), `last ${direction}`);
      expect((await space.operations()).length).toBeGreaterThan(before);
      await expect.poll(settled, { timeout: PATIENCE_MS, interval: 100 }).toBe(true);
    };
    await finish('import');
    await finish('export');

    const ended = await space.operations();
    expect(ended.filter(({ message, error }) => !message && !error)).toEqual([]);
    expect(ended.filter(({ state }) => state === 'failure')).toEqual([]);
    const { git } = space.author;
    await git('fetch', '--quiet', 'origin');
    const subjects = (await git('log', '--format=%s', 'origin/main')).trim().split('\n');
    expect(subjects.toSorted()).toEqual([...new Set(subjects)].toSorted());

    const pages = await space.pages();
    const paths = (await git('ls-tree', '-r', '--name-only', 'origin/main')).trim().split('\n');
    expect([...pages.keys()].sort()).toEqual(paths.sort());
    for (const [path, texts] of space.expected) {
      const text = await git('show', `origin/main:${path}`).catch(() => undefined);
      if (text === undefined) {
        expect(path, 'only an edit that nobody heard of may be missing').toMatch(/^docs\/edit-/);
        continue;
      }
      expect([...texts].map((one) => one.trim())).toContain(text.trim());
      expect(pages.get(path)?.trim()).toBe(text.trim());
    }
  });
});
