import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMember } from '../create-member.ts';
import { openPublishedClient } from '../published-client.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform({ withJobs: false });
});
afterAll(() => platform.close());

it('answers about change requests and their reviews as the published client expects', async () => {
  const { call } = openPublishedClient(platform);
  const { api, organizationId } = platform;
  const reviewer = await createMember(platform, 'Reviewer', { role: 'review' });
  const team = await api('PUT', `/orgs/${organizationId}/teams`, { body: { title: 'Editors' } });
  const spaceId = (await api('POST', `/orgs/${organizationId}/spaces`, { body: { title: 'Docs' } })).body.id;
  const base = '/spaces/{spaceId}/change-requests';
  const one = `${base}/{changeRequestId}`;
  const made = await call('POST', base, { ids: { spaceId }, body: { subject: 'Words' } });
  const ids = { spaceId, changeRequestId: made.id };
  const changes = [
    { type: 'write', path: 'README.md', text: '---\nicon: book\n---\n# Home\n' },
    { type: 'write', path: 'a.txt', text: 'a' },
  ];
  await api('POST', `/spaces/${spaceId}/change-requests/${made.id}/content`, { body: { changes } });
  await call('PATCH', one, { ids, body: { subject: 'Better words' } });
  await api('PATCH', `/spaces/${spaceId}/change-requests/${made.id}`, {
    body: { description: { markdown: 'Why.' } },
  });
  await call('GET', one, { ids });
  await call('POST', `${one}/requested-reviewers`, {
    ids,
    body: { users: [reviewer.userId], teams: [team.body.id] },
  });
  await call('GET', `${one}/requested-reviewers`, { ids });
  await call('GET', base, { ids, query: `?requestedReviewer=${reviewer.userId}&status=open` });
  await call('GET', '/orgs/{organizationId}/change-requests');
  const review = await call('POST', `${one}/reviews`, {
    ids,
    body: { status: 'approved', comment: { markdown: 'Good **words**.' } },
    token: reviewer.token,
  });
  await call('GET', `${one}/reviews`, { ids, query: '?outdated=false&format=markdown' });
  await call('GET', `${one}/reviews/{reviewId}`, { ids: { ...ids, reviewId: review.id } });
  expect(review.comment.body.document.nodes).toHaveLength(1);
  const [read] = (await call('GET', `${one}/reviews`, { ids, query: '?format=markdown' })).items;
  expect(read.comment).toMatchObject({
    body: { markdown: 'Good **words**.' },
    target: { review: review.id },
  });
  await call('GET', `${one}/contributors`, { ids });
  await call('GET', `${one}/links`, { ids });
  const { changes: list } = await call('GET', `${one}/changes`, { ids });
  expect(list.length).toBeGreaterThan(1);
  await call('DELETE', `${one}/requested-reviewers/{userId}`, { ids: { ...ids, userId: reviewer.userId } });
  await call('POST', `${one}/merge`, { ids });
});
