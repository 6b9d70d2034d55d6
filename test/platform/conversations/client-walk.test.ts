/** Walks the operations on conversations and agent instructions as the published client calls them; see `published-client.ts`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../../src/contract/index.ts';
import { openModel } from '../../../src/platform/models/open-model.ts';
import { waitFor } from '../../support/wait-for.ts';
import {
  type Reply,
  type SeenRequest,
  type StandInModel,
  startStandInModel,
} from '../models/stand-in-model.ts';
import { openPublishedClient, type PublishedClient } from '../published-client.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

const PARTS = { Conversations: 6, 'Agent instructions': 2 };

let platform: TestPlatform;
let client: PublishedClient;
let standIn: StandInModel;

/** Names an issue by what the user says, and a cluster by what its issues share. */
function answerAsTold({ data }: SeenRequest): Reply {
  const { messages } = data as { messages?: readonly { text: string }[] };
  const said = messages?.[0]?.text;
  if (said === undefined) return { answer: { label: 'PDF export', summary: 'The PDF export.' } };
  return { answer: { issues: [{ title: said, summary: said, quotes: [said] }] } };
}

describe.each([
  ['without a model', false],
  ['with a model', true],
])('the published client, %s', (_how, ai) => {
  const method = ai ? 'model' : 'text';

  beforeAll(async () => {
    standIn = await startStandInModel(answerAsTold);
    platform = await startPlatform();
    const model = openModel(platform.deps.db, {
      url: standIn.url,
      key: null,
      model: 'stand-in',
      tokensPerDay: 10_000_000,
      timeoutMs: 5_000,
    });
    Object.assign(platform.deps, { model });
    client = openPublishedClient(platform);
    await client.call('PATCH', org, { body: { ai } });
  });
  afterAll(async () => {
    await platform?.deps.model?.close();
    await platform?.close();
    await standIn?.close();
  });

  const org = '/orgs/{organizationId}';

  test('ingests conversations, and reads issues and clusters', async () => {
    const ask = (id: string, body: string) => ({
      id,
      subject: 'PDF export',
      metadata: { url: `https://desk.example/${id}`, attributes: { plan: 'pro' }, createdAt: new Date() },
      parts: [{ type: 'message', role: 'user', body }],
    });
    await client.call('POST', `${org}/conversations`, { body: ask('1', 'How do I export a space as PDF?') });
    const more = [ask('2', 'Why does the PDF export fail?'), { id: '3', parts: [] }];
    await client.call('POST', `${org}/conversations`, { body: more });
    await waitFor(async () => (await client.call('GET', `${org}/conversations-clusters`)).count === 1);
    const { items } = await client.call('GET', `${org}/conversations`, { query: '?limit=1' });
    await client.call('GET', `${org}/conversations`, { query: '?source=email' });
    const ids = { conversationId: items[0].id };
    await client.call('GET', `${org}/conversations/{conversationId}`, { ids });
    await client.call('GET', `${org}/conversations/{conversationId}`, { ids: { conversationId: 'none' } });
    const clusters = await client.call('GET', `${org}/conversations-clusters`, {
      query: '?orderBy=issues&order=asc&limit=1',
    });
    const clusterId = clusters.items[0].id;
    await client.call('GET', `${org}/conversations-clusters/{clusterId}`, { ids: { clusterId } });
    const issues = await client.call('GET', `${org}/conversations-issues`, {
      query: `?cluster=${clusterId}`,
    });
    expect(issues.count).toBe(2);
    expect(issues.items.map((item: { issue: { method: string } }) => item.issue.method)).toEqual([
      method,
      method,
    ]);
    const issueId = issues.items[0].issue.id;
    await client.call('GET', `${org}/conversations-issues/{issueId}`, { ids: { issueId } });
    await client.call('GET', `${org}/conversations-issues/{issueId}`, { ids: { issueId: 'none' } });
  });

  test('writes instructions', async () => {
    await client.call('GET', `${org}/agent-instructions`);
    const instructions = { object: 'document', data: { schemaVersion: 1 }, nodes: [] };
    await client.call('PUT', `${org}/agent-instructions`, { body: { instructions } });
    await client.call('GET', `${org}/agent-instructions`);
  });

  test('called every such operation that is published', () => {
    for (const [part, expected] of Object.entries(PARTS)) {
      const published = Object.values(operations)
        .filter(({ tag, extension }) => tag === part && !extension)
        .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
      expect(published).toHaveLength(expected);
      expect(published.filter((one) => !client.walked.has(one))).toEqual([]);
    }
  });
});
