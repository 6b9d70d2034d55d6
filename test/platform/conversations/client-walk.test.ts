/** Walks the operations on conversations and agent instructions as the published client calls them; see `published-client.ts`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../../src/contract/index.ts';
import { waitFor } from '../../support/wait-for.ts';
import { openPublishedClient, type PublishedClient } from '../published-client.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

const PARTS = { Conversations: 6, 'Agent instructions': 2 };

let platform: TestPlatform;
let client: PublishedClient;

describe('the published client', () => {
  beforeAll(async () => {
    platform = await startPlatform();
    client = openPublishedClient(platform);
  });
  afterAll(() => platform?.close());

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
