/** Pages of a site while the database's standby, from which they are read, lags behind, is away, and is back. */
import { afterAll, expect, it, vi } from 'vitest';
import { operations } from '../../src/client/index.ts';
import { describeAtLength } from '../support/describe-at-length.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { type ReplicatedDatabase, startReplicatedDatabase } from '../support/replicated-database.ts';
import { type Author, createAuthor } from './support/author.ts';
import { findSpace, openPlatform } from './support/platform.ts';
import { useStage } from './support/stage.ts';

describeAtLength('a site that is read from a standby', false, () => {
  let database: ReplicatedDatabase;
  const stage = useStage(async () => {
    database = await startReplicatedDatabase();
    return { DATABASE_URL: database.url, DATABASE_REPLICA_URL: database.standbyUrl };
  });
  afterAll(() => database?.close());

  /** How often each server was read from, as the process counts it. */
  async function reads(): Promise<{ readonly primary: number; readonly replica: number }> {
    const text = await (await fetch(`${stage().url}/metrics`)).text();
    const from = (server: string) =>
      Number(
        new RegExp(`^docloom_replica_reads_total\\{[^}]*from="${server}"[^}]*\\} (\\d+)$`, 'm').exec(
          text,
        )?.[1] ?? 0,
      );
    return { primary: from('primary'), replica: from('replica') };
  }

  async function push(author: Author, nth: number): Promise<void> {
    const oid = await author.publish({
      'README.md': `# Home ${nth}\n`,
      'guide.md': `# Guide ${nth}\n\n[Home](README.md)\n`,
    });
    await vi.waitFor(
      () => expect(stage().forge.statuses(author.fullName, oid).at(-1)?.state).toBe('success'),
      { timeout: PATIENCE_MS, interval: 50 },
    );
  }

  it(
    'shows each push while the standby lags, without it, and once it has caught up',
    async () => {
      const author = await createAuthor(stage(), { owner: 'standby', repo: 'standby' });
      await push(author, 0);
      const platform = await openPlatform(stage());
      const params = { organizationId: platform.organizationId };
      const space = await findSpace(platform, 'standby');
      const { id: siteId } = await platform.client.call(operations.createSite, {
        params,
        body: { title: 'Docs', visibility: 'public', spaces: [space.id] },
      });
      const { urls } = await platform.client.call(operations.publishSite, { params: { ...params, siteId } });
      const site = (urls.published ?? '').replace(/\/$/, '');
      const read = async (path: string) => await (await fetch(`${site}${path}`)).text();
      /** Both pages, from when the first shows the push: no page of before is kept under the new version. */
      const expectPush = async (nth: number) => {
        await vi.waitFor(async () => expect(await read('')).toContain(`Home ${nth}`), {
          timeout: PATIENCE_MS,
          interval: 20,
        });
        expect(await read('/guide')).toContain(`Guide ${nth}`);
        expect(await read('/guide.md')).toContain(`# Guide ${nth}`);
        expect(await read('')).toContain(`Home ${nth}`);
      };
      await expectPush(0);

      await database.onStandby('select pg_wal_replay_pause()');
      const before = await reads();
      for (const nth of [1, 2]) {
        await push(author, nth);
        await expectPush(nth);
      }
      const during = await reads();
      expect(during.replica).toBe(before.replica);
      expect(during.primary).toBeGreaterThan(before.primary);

      await database.stopStandby();
      await push(author, 3);
      await expectPush(3);

      await database.startStandby();
      let nth = 3;
      await vi.waitFor(
        async () => {
          nth += 1;
          await push(author, nth);
          await expectPush(nth);
          expect((await reads()).replica).toBeGreaterThan(during.replica);
        },
        { timeout: PATIENCE_MS, interval: 200 },
      );
    },
    3 * PATIENCE_MS,
  );
});
