import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  checkMailServer,
  type Mailer,
  mailJob,
  type OutgoingMail,
  openMailer,
  sendMail,
  writeMail,
} from '../../src/identity/index.ts';
import { openQueue, type Queue } from '../../src/queue/index.ts';
import { loadMail, openSealer, tables } from '../../src/store/index.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait-for.ts';
import { MAIL_LOGIN, type MailSink, openMailSink } from './mail-sink.ts';

const SECRET_URL = 'https://docs.example/login/mail?key=a-secret-that-signs-in';

describe('mails', () => {
  let database: TestDatabase;
  let queue: Queue;
  let sink: MailSink;
  let mailer: Mailer;
  const sealer = openSealer({ secretKey: 'k'.repeat(32), dataDir: '/nowhere' });
  const db = () => database.store.db;
  beforeAll(async () => {
    [database, sink] = await Promise.all([openTestDatabase(), openMailSink()]);
    queue = await openQueue(database.store);
    mailer = openMailer({ db: db(), queue, sealer, smtp: sink.smtp });
    await mailer.start(async () => true);
  });
  afterAll(async () => {
    await queue?.stop();
    await sink?.close();
    await database?.close();
  });

  const signIn = (to: string): OutgoingMail<'sign-in'> => ({
    template: 'sign-in',
    to,
    values: { url: SECRET_URL, minutes: 15 },
  });
  const ended = (id: string) =>
    waitFor(async () => {
      const mail = await loadMail(db(), id);
      return mail?.state !== 'queued' && mail;
    });

  test('a mail is sent once, with the transaction that requested it', async () => {
    const { id, state } = await db().transaction((tx) => mailer.enqueue(tx, signIn('ada@docs.example')));
    expect(state).toBe('queued');
    const mail = await sink.mailTo('ada@docs.example');
    expect(mail).toMatchObject({ from: 'docs@docloom.example', subject: 'Sign in to Docloom' });
    expect(mail.messageId).toBe(`<${id}@docloom.example>`);
    expect(mail.text).toContain(`${SECRET_URL}\r\n`);
    expect(mail.html).toContain(`href="${SECRET_URL}"`);
    expect(mail.raw).toMatch(/^Auto-Submitted: auto-generated/im);
    expect(await ended(id)).toMatchObject({ state: 'sent', attempts: 1, sealedValues: null, problem: null });
    const lost = db().transaction(async (tx) => {
      await mailer.enqueue(tx, signIn('nobody@docs.example'));
      throw new Error('rolled back');
    });
    await expect(lost).rejects.toThrow('rolled back');
    expect(
      await db().select().from(tables.mails).where(eq(tables.mails.recipient, 'nobody@docs.example')),
    ).toEqual([]);
    expect(sink.mails).toHaveLength(1);
  });

  test('what a waiting mail says is in no table in readable form', async () => {
    const later = openMailer({
      db: db(),
      queue: { ...queue, enqueue: async () => undefined },
      sealer,
      smtp: sink.smtp,
    });
    const { id } = await later.enqueue(db(), signIn('sealed@docs.example'));
    const row = await loadMail(db(), id);
    expect(row?.sealedValues).not.toBeNull();
    expect(JSON.stringify(row)).not.toContain('a-secret');
  });

  test('a mail that cannot be taken now is tried again, with the same Message-ID', async () => {
    sink.refusals.push(450);
    const { id } = await mailer.enqueue(db(), signIn('later@docs.example'));
    const waiting = await waitFor(async () => {
      const mail = await loadMail(db(), id);
      return mail?.attempts === 1 && mail;
    });
    expect(waiting).toMatchObject({ state: 'queued', problem: expect.stringContaining('450') });
    await waitFor(async () => {
      await queue.enqueue(db(), mailJob, { mailId: id }, { unlessWaiting: true, retriesNow: true });
      return (await loadMail(db(), id))?.state === 'sent';
    });
    expect((await sink.mailTo('later@docs.example')).messageId).toBe(`<${id}@docloom.example>`);
    expect(await ended(id)).toMatchObject({ state: 'sent', attempts: 2, problem: null });
  });

  test('a recipient that is refused for good fails at once, with the reason and without the address of the mail', async () => {
    sink.refusals.push(550);
    const { id } = await mailer.enqueue(db(), signIn('gone@docs.example'));
    expect(await ended(id)).toMatchObject({
      state: 'failed',
      sealedValues: null,
      problem: expect.stringMatching(
        /^The recipient was refused by the mail server 127\.0\.0\.1:\d+: “550 mailbox is away”\.$/,
      ),
    });
    const failed = await waitFor(async () => {
      const jobs = await queue.failed({ name: mailJob.name });
      return jobs.length > 0 && jobs;
    });
    expect(JSON.stringify(failed)).toContain('The recipient was refused');
    expect(JSON.stringify(failed)).not.toContain('a-secret');
  });

  test('a mail whose address expired is not sent', async () => {
    const { id } = await mailer.enqueue(db(), {
      ...signIn('late@docs.example'),
      expiresAt: new Date(Date.now() - 1),
    });
    expect(await ended(id)).toMatchObject({ state: 'failed', problem: expect.stringContaining('expired') });
    expect(sink.mails.some(({ to }) => to === 'late@docs.example')).toBe(false);
  });

  test('without a mail server nothing is tried, and nothing of what it says is stored', async () => {
    const without = openMailer({ db: db(), queue, sealer, smtp: null });
    expect(without.isSet).toBe(false);
    const { id, state } = await without.enqueue(db(), signIn('copied@docs.example'));
    expect(state).toBe('not-sent');
    expect(await loadMail(db(), id)).toMatchObject({ state: 'not-sent', sealedValues: null, attempts: 0 });
  });

  test('names cannot add headers, lines or markup', async () => {
    const { id } = await mailer.enqueue(db(), {
      template: 'invite',
      to: 'invited@docs.example',
      values: {
        url: SECRET_URL,
        organization: 'Evil\r\nBcc: all@docs.example\r\n\r\n<script>',
        invitedBy: '<b>"Eve" & Co</b>',
        place: null,
        days: 7,
      },
    });
    await ended(id);
    const { raw, html, to } = await sink.mailTo('invited@docs.example');
    expect(to).toBe('invited@docs.example');
    expect(raw).not.toMatch(/^Bcc:/im);
    expect(html).not.toMatch(/<script>|<b>/);
    expect(html).toContain('&#60;b&#62;&#34;Eve&#34; &#38; Co');
  });

  test('names cannot become links', async () => {
    const { id } = await mailer.enqueue(db(), {
      template: 'invite',
      to: 'linked@docs.example',
      values: {
        url: SECRET_URL,
        organization: 'Pay at https://evil.example/bill, www.evil.example',
        invitedBy: 'Dr. Eve',
        place: null,
        days: 7,
      },
    });
    await ended(id);
    const { text, html } = await sink.mailTo('linked@docs.example');
    for (const shown of [text, html]) {
      expect(shown).toContain('Dr. Eve invites you to Pay at https:\u2060//evil.\u2060example/bill');
      expect(shown).not.toMatch(/https:\/\/evil|evil\.example|www\.evil/);
      expect(shown).toContain(SECRET_URL);
    }
  });

  test('names cannot be decoded into something else by mail programs', async () => {
    const { id } = await mailer.enqueue(db(), {
      template: 'invite',
      to: 'decoded@docs.example',
      values: {
        url: SECRET_URL,
        organization: '=?utf-8?Q?Your_bank=0D=0AIs_closed?=',
        invitedBy: 'Eve',
        place: null,
        days: 7,
      },
    });
    await ended(id);
    const { subject } = await sink.mailTo('decoded@docs.example');
    expect(subject).not.toMatch(/=\?/);
    expect(subject).toContain('= ?utf-8?Q?Your_bank');
  });
});

describe('a mail server', () => {
  const test1 = { id: 'one', to: 'ada@docs.example', ...writeMail('test', { url: 'https://docs.example' }) };

  test('that needs a login gets it; a wrong one, and one without TLS to another machine, are refused in one sentence', async () => {
    const sink = await openMailSink({ authOptional: false, allowInsecureAuth: true });
    try {
      await sendMail({ ...sink.smtp, login: MAIL_LOGIN }, test1);
      await checkMailServer({ ...sink.smtp, login: MAIL_LOGIN });
      const wrong = { ...sink.smtp, login: { ...MAIL_LOGIN, password: 'hush hush' } };
      for (const attempt of [sendMail(wrong, test1), checkMailServer(wrong)]) {
        const problem = await attempt.catch((error: Error) => error);
        expect(problem).toMatchObject({ kind: 'login', isFinal: false });
        expect(String(problem)).not.toContain('hush');
      }
      expect(sink.mails).toHaveLength(1);
    } finally {
      await sink.close();
    }
  });

  test('that speaks TLS from the start is reached by smtps, and not by smtp', async () => {
    const sink = await openMailSink({ secure: true });
    try {
      await sendMail(sink.smtp, test1);
      expect(sink.mails).toHaveLength(1);
    } finally {
      await sink.close();
    }
    const plain = await openMailSink({ hideSTARTTLS: true });
    try {
      await expect(sendMail({ ...plain.smtp, secure: true }, test1)).rejects.toMatchObject({ kind: 'tls' });
      // 127.1 is this machine, but nothing that Docloom recognises as such: its password would be sent in the clear.
      await expect(
        sendMail({ ...plain.smtp, host: '127.1', login: MAIL_LOGIN }, test1),
      ).rejects.toMatchObject({
        kind: 'tls',
      });
      expect(plain.mails).toEqual([]);
    } finally {
      await plain.close();
    }
  });

  test('that is not there is named', async () => {
    const sink = await openMailSink();
    await sink.close();
    await expect(sendMail(sink.smtp, test1)).rejects.toMatchObject({
      kind: 'connection',
      message: expect.stringContaining(`No connection to the mail server 127.0.0.1:${sink.smtp.port}`),
    });
  });
});
