/** Walks the operations on comments as the published client calls them; `published-client.ts` says what that needs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPublishedClient, type PublishedClient } from '../published-client.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

let platform: TestPlatform;
let client: PublishedClient;

describe('the published client', () => {
  beforeAll(async () => {
    platform = await startPlatform({ withJobs: false });
    client = openPublishedClient(platform);
  });
  afterAll(() => platform?.close());

  test('walks every operation on comments, and takes each answer for what it expects', async () => {
    const { api, organizationId } = platform;
    const title = { title: 'Guide', emoji: '1f4d8' };
    const { id: spaceId } = (await api('POST', `/orgs/${organizationId}/spaces`, { body: title })).body;
    const place = `/spaces/${spaceId}/change-requests`;
    const text = '# Home\n\nHello.\n\n| a | b |\n| - | - |\n| 1 | 2 |\n';
    const begin = async () => (await api('POST', place, { body: { subject: 'Edit' } })).body.id as string;
    const merged = await begin();
    const changes = [{ type: 'write', path: 'README.md', text }];
    await api('POST', `${place}/${merged}/content`, { body: { changes } });
    await api('POST', `${place}/${merged}/merge`);
    const changeRequestId = await begin();
    const [page] = (await api('GET', `/spaces/${spaceId}/content/pages`)).body.pages;
    const read = await api('GET', `/spaces/${spaceId}/content/page/${page.id}?format=document`);
    const table = read.body.document.nodes.find((node: { type: string }) => node.type === 'table');
    const name = (await api('GET', '/user')).body.displayName;

    for (const base of ['/spaces/{spaceId}', '/spaces/{spaceId}/change-requests/{changeRequestId}']) {
      const ids = { spaceId, changeRequestId };
      const call = (method: string, path: string, more: object = {}, body?: unknown, query = '') =>
        client.call(method, `${base}${path}`, { ids: { ...ids, ...more }, body, query });
      const body = { markdown: `Is **this** right, @${name}?\n\n- one\n- \`two\`` };
      const tableCell = { record: 'r0', definition: 'c1' };
      const target = { page: page.id, node: table.key, tableCell };
      const posted = await call('POST', '/comments', {}, { body, ...target });
      expect(posted.target).toMatchObject({ node: { id: table.key }, tableCell });
      const comment = { commentId: posted.id };
      await call('GET', '/comments', {}, undefined, `?order=asc&status=open&targetPage=${page.id}&limit=1`);
      await call('PUT', '/comments/{commentId}', comment, { addedReactions: ['👍'], resolved: true });
      await call('GET', '/comments/{commentId}', comment, undefined, '?format=markdown');
      const reply = await call('POST', '/comments/{commentId}/replies', comment, { body });
      const both = { ...comment, commentReplyId: reply.id };
      await call('GET', '/comments/{commentId}/replies', comment);
      await call('GET', '/comments/{commentId}/replies/{commentReplyId}', both);
      await call('PUT', '/comments/{commentId}/replies/{commentReplyId}', both, { addedReactions: ['🎉'] });
      await call('GET', '/comments', {}, undefined, '?status=resolved&format=markdown');
      await call('GET', '/commenters');
      await call('DELETE', '/comments/{commentId}/replies/{commentReplyId}', both);
      await call('DELETE', '/comments/{commentId}', comment);
    }
    expect(client.walked.size).toBe(22);
  });
});
