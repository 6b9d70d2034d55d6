/** Asks as the published client does, with a model and without one; see `published-client.ts`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openModel } from '../../../src/platform/models/open-model.ts';
import { type StandInModel, startStandInModel } from '../models/stand-in-model.ts';
import { openPublishedClient, type PublishedClient } from '../published-client.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

const QUESTION = 'How much hay for the horse?';

let platform: TestPlatform;
let client: PublishedClient;
let standIn: StandInModel;
let siteId: string;

describe('the published client', () => {
  beforeAll(async () => {
    standIn = await startStandInModel(() => ({
      answer: { answered: true, sentences: [{ text: 'The horse gets 900 grams of hay.', sections: [1] }] },
    }));
    platform = await startPlatform();
    client = openPublishedClient(platform);
    const model = openModel(platform.deps.db, {
      url: standIn.url,
      key: null,
      model: 'stand-in',
      tokensPerDay: 1_000_000,
      timeoutMs: 5_000,
    });
    Object.assign(platform.deps, { model });
    const { repo, url } = await platform.createRepo('animals');
    await repo.commit({
      'README.md': '# Animals\n\nAll of them.\n',
      'horse.md': '# Horse\n\n## Feeding\n\nThe horse gets 900 grams of hay.\n',
    });
    const spaceId = await platform.createSpace('animals');
    expect(await platform.importBranch(spaceId, { url })).toMatchObject({ state: 'success' });
    const { body } = await platform.api('POST', `/orgs/${platform.organizationId}/sites`, {
      body: { title: 'Animals', visibility: 'public', spaces: [spaceId] },
    });
    siteId = body.id;
  });
  afterAll(async () => {
    await platform?.deps.model?.close();
    await platform?.close();
    await standIn?.close();
  });

  const org = '/orgs/{organizationId}';

  test.each([
    [false, ['sections']],
    [true, ['sections', 'model']],
  ])('asks, also by streams; with a model: %s', async (ai, madeBy) => {
    await client.call('PATCH', org, { body: { ai } });
    const query = `?query=${encodeURIComponent(QUESTION)}`;
    for (const format of ['document', 'markdown']) {
      const { answer } = await client.call('POST', `${org}/ask`, {
        query: `?format=${format}`,
        body: { query: QUESTION },
      });
      expect(answer.madeBy).toBe(madeBy.at(-1));
      const streams = [
        await client.call('GET', `${org}/ask/stream`, { query: `${query}&format=${format}` }),
        await client.call('POST', `${org}/sites/{siteId}/ask`, {
          ids: { siteId },
          query: `?format=${format}`,
          body: { question: QUESTION, scope: { mode: 'default' } },
        }),
      ];
      for (const events of streams)
        expect(events.map((event: { answer: { madeBy: string } }) => event.answer.madeBy)).toEqual(madeBy);
    }
  });

  test('reads recommended questions, also by streams', async () => {
    const { questions } = await client.call('GET', `${org}/ask/questions`);
    expect(questions).toEqual(['Feeding']);
    for (const events of [
      await client.call('GET', `${org}/ask/questions/stream`),
      await client.call('GET', `${org}/sites/{siteId}/ask/questions`, { ids: { siteId } }),
    ])
      expect(events).toEqual([{ question: 'Feeding' }]);
  });

  test('asks what the pages do not answer', async () => {
    const query = `?query=${encodeURIComponent('Which VPN tunnel?')}`;
    const [event] = await client.call('GET', `${org}/ask/stream`, { query });
    expect(event.answer.madeBy).toBe('nothing');
  });
});
