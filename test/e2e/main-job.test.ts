/** The main job from end to end, as the demo plays it: on the embedded store, and on a PostgreSQL of its own. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { createNarrator } from '../../src/cli/demo/narrator.ts';
import { playStory } from '../../src/cli/demo/play-story.ts';
import type { Environment } from '../../src/server/config/settings.ts';
import { startPasswordServer } from '../store/password-server.ts';
import { describeAtLength } from '../support/describe-at-length.ts';
import { useRunsDatabase, useStage } from './support/stage.ts';

/** Below the limit of the test, so that what was told until then is shown. */
const PLAY_MS = 200_000;

const runsDatabase = useRunsDatabase();

const databases: readonly { readonly kind: string; readonly env: () => Promise<Environment> }[] = [
  { kind: 'the PostgreSQL of DATABASE_URL', env: runsDatabase },
  { kind: 'a PostgreSQL with a password', env: async () => ({ DATABASE_URL: await externalDatabase() }) },
  { kind: 'the embedded store', env: async () => ({}) },
];

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

async function externalDatabase(): Promise<string> {
  const password = randomBytes(9).toString('hex');
  const server = await startPasswordServer(password);
  closing.push(server.close);
  return `postgres://docs:${password}@127.0.0.1:${server.port}/docs`;
}

// `npm run demo` plays the same; pushes and pull requests have tests of their own, within one process.
describeAtLength('the main job', false, () => {
  describe.each(databases)('on $kind', ({ env }) => {
    const stage = useStage(env);

    it('makes pages of a push, reports what a pull request breaks, and sees the mend', async () => {
      const told: string[] = [];
      const tell = createNarrator({ write: (text: string) => told.push(text) });
      const played = await playStory(stage(), tell, AbortSignal.timeout(PLAY_MS));
      expect(played.outcome, told.join('')).toMatchObject({
        ok: true,
        push: { pages: 12, links: { broken: 1 } },
        pullRequest: { conclusion: 'failure', annotations: 12, introduced: 12, untouchedFiles: 8 },
        mended: { conclusion: 'success' },
      });
    });

    it('is logged as JSON, a line each', async () => {
      const lines = (await readFile(stage().logFile, 'utf8')).trimEnd().split('\n');
      expect(lines.map((line) => typeof JSON.parse(line).msg)).toEqual(lines.map(() => 'string'));
    });
  });
});
