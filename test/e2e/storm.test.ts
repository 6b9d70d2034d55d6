/**
 * Pushes over several repositories while deliveries are doubled, dropped and re-ordered, GitHub's API fails and the
 * server is killed: in the end every space shows its branch, and nobody waits for a status or a check.
 * `DOCLOOM_STORM=1` runs it at full size.
 */
import { expect, it } from 'vitest';
import { type Author, createAuthor } from './support/author.ts';
import { findSpace, listOperations, openPlatform } from './support/platform.ts';
import { useStage } from './support/stage.ts';

const full = process.env['DOCLOOM_STORM'] === '1';
const size = full ? { repositories: 20, pushes: 1_000, kills: 20 } : { repositories: 2, pushes: 6, kills: 1 };
const PATIENCE_MS = full ? 60 * 60_000 : 170_000;

const stage = useStage(() => ({ RECONCILE_SECONDS: '5' }));

/** The same storm at every run: a linear congruential generator, as in POSIX's example of rand(). */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

function beginStorm(): void {
  const { faults } = stage().forge;
  const roll = dice(7);
  const share = (part: number) => () => roll() < part;
  // A delivery meets the first that strikes; a strike of the last one holds two.
  faults.set({ on: 'webhook', kind: 'duplicate', match: share(0.1) });
  faults.set({ on: 'webhook', kind: 'drop', match: share(0.11) });
  faults.set({ on: 'webhook', kind: 'reorder', hold: 2, match: share(0.12) });
  const times = Math.ceil(size.pushes / 5);
  faults.set({ on: 'api', kind: 'status', status: 502, times, path: /statuses|branches/ });
  faults.set({ on: 'api', kind: 'too-many-requests', retryAfterSeconds: 1, times: 2, path: /contents/ });
  faults.set({ on: 'api', kind: 'secondary-limit', retryAfterSeconds: 1, times: 2, path: /statuses/ });
}

it(
  'a storm leaves every space at its branch, and no commit without its end',
  async () => {
    const authors: Author[] = [];
    for (let index = 0; index < size.repositories; index++)
      authors.push(await createAuthor(stage(), { owner: `storm${index}`, repo: `storm-${index}` }));
    beginStorm();
    const heads = new Map<Author, string>();
    const pause = Math.ceil(size.pushes / (size.kills + 1));
    for (let push = 1; push <= size.pushes; push++) {
      const author = authors[push % authors.length] as Author;
      heads.set(author, await author.publish({ 'README.md': `# Push ${push}\n` }));
      if (push % pause === 0) {
        await stage().docloom().kill();
        await stage().restart();
      }
    }
    stage().forge.faults.clear();

    const { forge } = stage();
    for (const [{ fullName }, head] of heads) {
      await expect
        .poll(() => forge.statuses(fullName, head).at(-1)?.state, { timeout: PATIENCE_MS, interval: 100 })
        .toBe('success');
    }
    // Nobody waits: the newest status of every commit is a final one.
    for (const { fullName } of authors) {
      await expect
        .poll(
          () => {
            const last = new Map(forge.statuses(fullName).map((one) => [one.sha, one.state]));
            return [...last.values()].filter((state) => state === 'pending');
          },
          { timeout: PATIENCE_MS, interval: 100 },
        )
        .toEqual([]);
      expect(forge.checkRuns(fullName).filter(({ status }) => status !== 'completed')).toEqual([]);
    }
    const platform = await openPlatform(stage());
    for (const [{ repo }, head] of heads) {
      const space = await findSpace(platform, repo);
      const live = (await listOperations(platform, space.id)).find(({ state }) => state === 'success');
      expect(live?.commit).toBe(head);
    }
  },
  PATIENCE_MS,
);
