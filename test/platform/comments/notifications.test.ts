import { eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mails, members, notifications, users } from '../../../src/store/schema/index.ts';
import { createMember, type TestMember } from '../create-member.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

let platform: TestPlatform;
let ada: TestMember;
let bob: TestMember;
let eve: TestMember;
let reader: TestMember;
let spaceId: string;

beforeAll(async () => {
  platform = await startPlatform({ withJobs: false });
  [ada, bob, eve, reader] = (await Promise.all([
    createMember(platform, 'Ada', { role: 'edit' }),
    createMember(platform, 'Bob', { role: 'comment' }),
    createMember(platform, 'Eve', { role: 'comment' }),
    createMember(platform, 'Reader', { role: 'read' }),
  ])) as [TestMember, TestMember, TestMember, TestMember];
  await platform.deps.db
    .update(users)
    .set({ emailVerifiedAt: new Date() })
    .where(inArray(users.id, [ada.userId, bob.userId, reader.userId]));
  spaceId = await platform.createSpace();
});
afterAll(() => platform.close());

const noticesOf = async ({ token }: TestMember, query = '') =>
  (await platform.api('GET', `/user/notifications${query}`, { token })).body;

const mailsTo = async ({ userId }: TestMember) => {
  const { db } = platform.deps;
  const [user] = await db.select().from(users).where(eq(users.id, userId));
  return await db
    .select()
    .from(mails)
    .where(eq(mails.recipient, user?.email ?? ''));
};

async function comment(markdown: string, { token }: TestMember, place = `/spaces/${spaceId}/comments`) {
  const answer = await platform.api('POST', place, { token, body: { body: { markdown } } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.id as string;
}

it('tells whom a comment names, once, by mail where it is confirmed and wanted, and nobody else', async () => {
  const id = await comment('@Ada @Ada @Bob @Eve @Reader, look', bob);
  const expected = { kind: 'mention', comment: id, by: { displayName: 'Bob' }, space: { id: spaceId } };
  expect(await noticesOf(ada)).toMatchObject({ count: 1, items: [expected] });
  expect(await noticesOf(eve)).toMatchObject({ count: 1, items: [expected] });
  expect((await noticesOf(bob)).count).toBe(0);
  expect((await noticesOf(reader)).count).toBe(0);
  expect((await mailsTo(ada)).map(({ template, state }) => [template, state])).toEqual([
    ['notification', 'not-sent'],
  ]);
  // An address that nobody confirmed may be anybody's.
  expect(await mailsTo(eve)).toEqual([]);
  expect(await mailsTo(bob)).toEqual([]);

  const at = `/spaces/${spaceId}/comments/${id}`;
  await platform.api('PUT', at, { token: bob.token, body: { body: { markdown: '@Ada @Eve, look again' } } });
  expect([(await noticesOf(ada)).count, (await mailsTo(ada)).length]).toEqual([1, 1]);
});

it('tells those who take part in a thread of replies, and the author of a change request of comments', async () => {
  const id = await comment('A question', eve);
  const replies = `/spaces/${spaceId}/comments/${id}/replies`;
  const before = (await noticesOf(eve)).count;
  const reply = (token: string, markdown: string) =>
    platform.api('POST', replies, { token, body: { body: { markdown } } });
  await reply(bob.token, 'An answer');
  await reply(ada.token, 'Another, @Eve');
  const { items, count } = await noticesOf(eve);
  expect(count).toBe(before + 2);
  expect(items.map(({ kind }: { kind: string }) => kind).slice(0, 2)).toEqual(['mention', 'reply']);
  expect((await noticesOf(bob)).items[0]).toMatchObject({ kind: 'reply', text: 'Another, @Eve' });

  const place = `/spaces/${spaceId}/change-requests`;
  const { body } = await platform.api('POST', place, { token: ada.token, body: { subject: 'Edit' } });
  await comment('Nice', bob, `${place}/${body.id}/comments`);
  expect((await noticesOf(ada)).items[0]).toMatchObject({
    kind: 'comment',
    changeRequest: { id: body.id, number: body.number, subject: 'Edit' },
    urls: { app: expect.stringContaining(`/change-requests/${body.number}/comments/`) },
  });
});

it('is read, and switched off for mail', async () => {
  const [first] = (await noticesOf(ada, '?unread=true')).items;
  const read = (value: boolean) =>
    platform.api('PUT', `/user/notifications/${first.id}`, { token: ada.token, body: { read: value } });
  const { createdAt, readAt } = (await read(true)).body;
  expect(Date.parse(readAt)).toBeGreaterThanOrEqual(Date.parse(createdAt));
  expect((await read(false)).body).not.toHaveProperty('readAt');
  const foreign = await platform.api('PUT', `/user/notifications/${first.id}`, {
    token: bob.token,
    body: { read: true },
  });
  expect(foreign.status).toBe(404);
  await platform.api('POST', '/user/read-notifications', { token: ada.token });
  expect((await noticesOf(ada, '?unread=true')).count).toBe(0);

  const settings = '/user/notification-settings';
  expect((await platform.api('GET', settings, { token: ada.token })).body.mail).toBe(true);
  await platform.api('PUT', settings, { token: ada.token, body: { mail: false } });
  const mailed = (await mailsTo(ada)).length;
  await comment('@Ada, again', bob);
  expect((await noticesOf(ada, '?unread=true')).count).toBe(1);
  expect((await mailsTo(ada)).length).toBe(mailed);
});

it('is not shown any more to those who lost the right to read it, and not counted', async () => {
  const { db } = platform.deps;
  await db.update(members).set({ role: 'read' }).where(eq(members.userId, eve.userId));
  expect((await noticesOf(eve)).count).toBe(0);
  expect(await db.$count(notifications, eq(notifications.userId, eve.userId))).toBeGreaterThan(0);
});
