/** Mails that wait for a mail server, while what their readers may see changes. */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mayHaveMail } from '../../../src/platform/index.ts';
import { tables } from '../../../src/store/index.ts';
import { type MailSink, openMailSink } from '../../identity/mail-sink.ts';
import { waitFor } from '../../support/wait-for.ts';
import { createMember, type TestMember } from '../create-member.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

const TEXT = 'The quokka is shy';

let sink: MailSink;
let platform: TestPlatform;
let author: TestMember;
let spaceId: string;

beforeAll(async () => {
  sink = await openMailSink();
  // Nothing is sent yet.
  platform = await startPlatform({ smtp: sink.smtp, withJobs: false });
  author = await createMember(platform, 'Author', { role: 'edit' });
  spaceId = await platform.createSpace();
});
afterAll(async () => {
  await platform?.close();
  await sink?.close();
});

interface Reader extends TestMember {
  readonly email: string;
}

async function createReader(name: string, role: string | null): Promise<Reader> {
  const { db } = platform.deps;
  const member = await createMember(platform, name, { role });
  const [user] = await db
    .update(tables.users)
    .set({ emailVerifiedAt: new Date() })
    .where(eq(tables.users.id, member.userId))
    .returning();
  return { ...member, email: user?.email ?? '' };
}

const call = async (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object, token?: string) => {
  const answer = await platform.api(method, path, { ...(body && { body }), ...(token && { token }) });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
};

const mention = async ({ userId }: TestMember): Promise<string> =>
  (
    await call(
      'POST',
      `/spaces/${spaceId}/comments`,
      { body: { markdown: `${TEXT}, [you](@${userId})` } },
      author.token,
    )
  ).id;

test('are not sent to who lost the right to read them, or wants none, nor when what they tell of is gone', async () => {
  const { db } = platform.deps;
  const organization = `/orgs/${platform.organizationId}`;
  const grants = `/spaces/${spaceId}/permissions`;
  const team = (await call('PUT', `${organization}/teams`, { title: 'Team' })).id;
  const readers = {
    granted: await createReader('Granted', null),
    teammate: await createReader('Teammate', null),
    member: await createReader('Member', 'comment'),
    demoted: await createReader('Demoted', 'comment'),
    disabled: await createReader('Disabled', 'comment'),
    silent: await createReader('Silent', 'comment'),
    moved: await createReader('Moved', 'comment'),
    told: await createReader('Told', 'comment'),
    stays: await createReader('Stays', 'comment'),
  };
  await call('PUT', `${organization}/teams/${team}/members/${readers.teammate.userId}`, {});
  await call('POST', grants, { users: [readers.granted.userId], role: 'comment' });
  await call('POST', grants, { teams: [team], role: 'comment' });
  const invites = await call('POST', `${organization}/invites`, {
    emails: ['late@people.example', 'welcome@people.example'],
    role: 'read',
  });
  const comments = new Map<Reader, string>();
  for (const reader of Object.values(readers)) comments.set(reader, await mention(reader));
  const queued = await db.$count(tables.mails, eq(tables.mails.state, 'queued'));
  expect(queued).toBe(Object.keys(readers).length + 2);

  await call('DELETE', `${grants}/users/${readers.granted.userId}`);
  await call('DELETE', `${organization}/teams/${team}/members/${readers.teammate.userId}`);
  await call('DELETE', `${organization}/members/${readers.member.userId}`);
  const inOrganization = (reader: Reader) => eq(tables.members.userId, reader.userId);
  await db.update(tables.members).set({ role: 'read' }).where(inOrganization(readers.demoted));
  await db.update(tables.members).set({ disabledAt: new Date() }).where(inOrganization(readers.disabled));
  await call('PUT', '/user/notification-settings', { mail: false }, readers.silent.token);
  await db
    .update(tables.users)
    .set({ email: 'moved@people.example' })
    .where(eq(tables.users.id, readers.moved.userId));
  await call('DELETE', `/spaces/${spaceId}/comments/${comments.get(readers.told)}`, undefined, author.token);
  await call('DELETE', `${organization}/invites/${invites.invites[0].id}`);

  await platform.deps.mailer.start(mayHaveMail(db));
  await waitFor(
    async () => (await db.$count(tables.mails, eq(tables.mails.state, 'queued'))) === 0,
    () => 'all mails to be sent or withdrawn',
  );
  expect(sink.mails.map(({ to }) => to).sort()).toEqual(
    [readers.stays.email, 'welcome@people.example'].sort(),
  );
  expect((await sink.mailTo(readers.stays.email)).text).toContain(TEXT);
  const withdrawn = await db.select().from(tables.mails).where(eq(tables.mails.state, 'not-sent'));
  expect(withdrawn).toHaveLength(queued - 2);
  for (const { sealedValues, problem } of withdrawn)
    expect([sealedValues, problem]).toEqual([null, expect.stringContaining('may not see it any more')]);
});
