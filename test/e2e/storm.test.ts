/**
 * Pushes and pull requests over several repositories while deliveries are doubled, dropped and re-ordered, GitHub's API
 * fails and stalls, and processes are killed: in the end every space shows its branch, nobody waits for a status or a
 * check, and every delivery's end is known. `DOCLOOM_STORM=1` runs it at full size, with one process and with
 * two; a larger number is how many pushes there are.
 */
import { describe, expect, it } from 'vitest';
import { describeAtLength } from '../support/describe-at-length.ts';
import { useRunsDatabase, useStage } from './support/stage.ts';
import { openStorm, type StormSize } from './support/storm.ts';

const wanted = Number(process.env['DOCLOOM_STORM'] ?? 0);
const full = wanted > 0;
const pushes = wanted === 1 ? 1_000 : wanted;
const sizes: readonly StormSize[] = full
  ? ([1, 2] as const).map((processes) => ({
      repositories: Math.min(20, Math.ceil(pushes / 10)),
      pushes,
      kills: Math.ceil(pushes / 50),
      processes,
    }))
  : [{ repositories: 2, pushes: 12, kills: 1, processes: 2 }];
const PATIENCE_MS = full ? 60 * 60_000 : 170_000;

describeAtLength('a storm', full, () => {
  describe.each(sizes)('a storm of $pushes pushes on $processes process(es)', (size) => {
    const database = useRunsDatabase();
    const stage = useStage(async () => ({ ...(await database()), RECONCILE_SECONDS: '5' }));

    it(
      'leaves every space at its branch, and nobody waiting',
      async () => {
        const storm = await openStorm(stage(), size);
        try {
          await storm.rage();
          await expect
            .poll(() => storm.complaints(), { timeout: PATIENCE_MS - 60_000, interval: full ? 2_000 : 200 })
            .toEqual([]);
          expect(storm.offences()).toEqual([]);
        } finally {
          await storm.close();
        }
      },
      PATIENCE_MS,
    );
  });
});
