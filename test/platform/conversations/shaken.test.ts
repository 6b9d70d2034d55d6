import fc from 'fast-check';
import { expect } from 'vitest';
import { openTestDatabase } from '../../support/database.ts';
import { testAtLength } from '../../support/describe-at-length.ts';
import { createOrganization, ingestInOrder, ingestShaken, makeConversations } from './shake-conversations.ts';

/** `SHAKEN_CONVERSATIONS=10000 SHAKEN_KILLS=10 vitest run shaken` tries the full size. */
const COUNT = Number(process.env['SHAKEN_CONVERSATIONS'] ?? 100);
const KILLS = Number(process.env['SHAKEN_KILLS'] ?? 1);

testAtLength(
  'conversations sent twice, in any order, to a process that is killed, come out as undisturbed',
  async () => {
    const database = await openTestDatabase();
    try {
      const { db } = database.store;
      const conversations = makeConversations(COUNT);
      const seed = fc.sample(fc.integer({ min: 1, max: 1_000_000 }), 1)[0] ?? 1;
      let state = seed;
      const random = () => {
        state = (state * 48_271) % 2_147_483_647;
        return state / 2_147_483_647;
      };
      const expected = await ingestInOrder(db, await createOrganization(db), conversations);
      const organizationId = await createOrganization(db);
      const shaken = await ingestShaken(db, {
        databaseUrl: database.url,
        organizationId,
        conversations,
        kills: KILLS,
        random,
      });
      expect(expected).toMatchObject({ conversations: COUNT, issues: COUNT });
      expect(expected.clusters.length).toBeGreaterThan(3);
      expect(shaken, `seed ${seed}`).toEqual(expected);
    } finally {
      await database.close();
    }
  },
);
