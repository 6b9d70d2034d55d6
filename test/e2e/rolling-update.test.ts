/**
 * Two processes behind a balancer that are replaced one after the other while people read and push: no request fails, and
 * no push is lost. `DOCLOOM_BEFORE` is the entry point of the release before (`…/src/cli/main.ts` or `…/dist/cli/main.js`
 * of its folder), with which they start; otherwise they are of this release, too.
 */
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { waitForStatuses } from '../../src/cli/demo/observe.ts';
import { type RunningDocloom, startDocloom } from '../../src/cli/demo/start-docloom.ts';
import { type Balancer, startBalancer } from '../support/balancer.ts';
import { createDatabase, createMigratedDatabase } from '../support/database.ts';
import { describeAtLength } from '../support/describe-at-length.ts';
import { pickPort } from '../support/pick-port.ts';
import { waitFor } from '../support/wait-for.ts';
import { createAuthor } from './support/author.ts';
import { useStage } from './support/stage.ts';

const before = process.env['DOCLOOM_BEFORE'];
const READERS = 3;

describeAtLength('a rolling update', before !== undefined, () => {
  let balancer: Balancer;
  let drop: () => Promise<void>;
  let second: RunningDocloom | undefined;
  const stage = useStage(
    async () => {
      balancer = await startBalancer();
      const database = before === undefined ? await createMigratedDatabase() : await createDatabase();
      ({ drop } = database);
      return {
        DATABASE_URL: database.url,
        SECRET_KEY: 'a key that all processes of this file have',
        DRAIN_SECONDS: '1',
        RECONCILE_SECONDS: '5',
      };
    },
    () => balancer.url,
    before,
  );
  afterAll(async () => {
    await second?.stop();
    await balancer?.close();
    await drop?.();
  });

  it('under load fails no request and loses no push', async () => {
    const port = await pickPort();
    const url = `http://127.0.0.1:${port}`;
    const startSecond = (main?: string) =>
      startDocloom({
        env: { ...stage().env, PORT: String(port) },
        url,
        logFile: join(stage().folder, 'second.log'),
        signal: new AbortController().signal,
        main,
      });
    second = await startSecond(before);
    await balancer.lead([`http://127.0.0.1:${stage().env['PORT']}`, url]);
    balancer.failures.length = 0;

    const author = await createAuthor(stage(), { owner: 'rolling', repo: 'rolling-docs' });
    const oids: string[] = [];
    const statuses = new Map<number, number>();
    let isOver = false;
    const read = async () => {
      while (!isOver) {
        const { status } = await fetch(`${balancer.url}/login`);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    const write = async () => {
      while (!isOver) oids.push(await author.publish({ 'README.md': `# Push ${oids.length}\n` }));
    };
    const update = async () => {
      try {
        await stage().docloom().stop();
        await stage().restart();
        await waitFor(() => balancer.isReady(`http://127.0.0.1:${stage().env['PORT']}`));
        await second?.stop();
        second = await startSecond();
        await waitFor(() => balancer.isReady(url));
      } finally {
        isOver = true;
      }
    };
    await Promise.all([update(), write(), ...Array.from({ length: READERS }, read)]);
    await waitForStatuses(author.octokit, author, oids.at(-1) ?? '', 1);
    const { forge } = stage();
    const states = () => {
      const newest = new Map(forge.statuses(author.fullName).map(({ sha, state }) => [sha, state]));
      return [...newest].filter(([, state]) => state === 'pending');
    };
    await expect.poll(states).toEqual([]);

    expect(balancer.failures).toEqual([]);
    expect([...statuses.keys()]).toEqual([200]);
    expect(oids.length).toBeGreaterThan(3);
    const answers = forge.deliveries.map(({ attempts }) => attempts.map(({ statusCode }) => statusCode));
    expect(answers.filter((codes) => codes.length !== 1 || codes[0] !== 202)).toEqual([]);
    console.info(
      `${statuses.get(200)} pages and ${oids.length} pushes while two processes were replaced, none failed.`,
    );
  });
});
