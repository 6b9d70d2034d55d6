import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CommandIo } from '../../src/cli/command.ts';
import { runDoctor } from '../../src/cli/commands/doctor.ts';
import { checkClock } from '../../src/cli/doctor/check-app.ts';
import { checkFreeSpace, isAtLeast } from '../../src/cli/doctor/check-machine.ts';
import type { Diagnosis } from '../../src/cli/doctor/diagnosis.ts';
import { type Forge, type ForgeApp, startForge } from '../../src/sandbox/index.ts';
import {
  changeStoredApp,
  deleteStoredApp,
  type StoredApp,
  storeApp,
} from '../../src/server/setup/stored-app.ts';
import { openSealer, openStore, requireSameKey } from '../../src/store/index.ts';
import { MAIL_LOGIN, openMailSink } from '../identity/mail-sink.ts';
import { createMigratedDatabase } from '../support/database.ts';
import { testAtLength } from '../support/describe-at-length.ts';
import { startObjectServer } from '../support/object-server.ts';

const SECRET = 'a webhook secret that nobody may read';
const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const PUBLIC_URL = 'http://127.0.0.1:9';
const app: ForgeApp = {
  id: 42,
  slug: 'docs-app',
  publicKeyPem: keys.publicKey,
  webhookUrl: `${PUBLIC_URL}/api/github/webhooks`,
  webhookSecret: SECRET,
};

let folder: string;
let forge: Forge;
let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docloom-doctor-'));
  database = await createMigratedDatabase();
  forge = await startForge({ dataDir: join(folder, 'forge'), app });
  await writeFile(join(folder, 'a-file'), '');
});
afterAll(async () => {
  await forge.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

function settings(more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return {
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    PUBLIC_URL,
    APP_ID: '42',
    PRIVATE_KEY: keys.privateKey,
    WEBHOOK_SECRET: SECRET,
    GHE_HOST: new URL(forge.url).host,
    GHE_PROTOCOL: 'http',
    ...more,
  };
}

async function run(env: Readonly<Record<string, string>>, json = true, mailTo: string | null = null) {
  const stdout = new PassThrough().setEncoding('utf8');
  const io: CommandIo = {
    stdout: stdout as unknown as CommandIo['stdout'],
    stderr: process.stderr,
    env,
    cwd: folder,
    signal: new AbortController().signal,
  };
  const exitCode = await runDoctor({ json, mailTo }, io);
  const text = String(stdout.read());
  for (const secret of [SECRET, 'BEGIN', 'hush']) expect(text).not.toContain(secret);
  return { exitCode, text, findings: json ? (JSON.parse(text) as Diagnosis[]) : [] };
}

const named = (findings: readonly Diagnosis[], check: string) =>
  findings.filter((finding) => finding.check === check);

describe('docloom doctor', () => {
  it('checks the object store', async () => {
    const objects = await startObjectServer(folder);
    const env = (more: Record<string, string> = {}) =>
      settings({
        BLOBS_URL: 's3://docs/doctor',
        BLOBS_ENDPOINT: objects.settings.endpoint,
        BLOBS_ACCESS_KEY_ID: 'S3RVER',
        BLOBS_SECRET_ACCESS_KEY: 'S3RVER',
        ...more,
      });
    const found = async (more?: Record<string, string>) =>
      named((await run(env(more))).findings, 'object store');
    try {
      expect(await found()).toMatchObject([
        { level: 'ok', message: expect.stringContaining('s3://docs/doctor/') },
      ]);
      const [wrong] = await found({ BLOBS_SECRET_ACCESS_KEY: 'hush' });
      expect(wrong).toMatchObject({
        level: 'fail',
        message: expect.stringContaining('BLOBS_SECRET_ACCESS_KEY'),
      });
      objects.fault = (method) => (method === 'PUT' ? { status: 507, code: 'InsufficientStorage' } : null);
      expect(await found()).toMatchObject([
        { level: 'fail', message: expect.stringContaining('free space') },
      ]);
    } finally {
      await objects.close();
    }
  });

  it('names another key than that of the database, with which no server starts', async () => {
    const [ours, others] = ['a', 'b'].map((letter) => letter.repeat(32)) as [string, string];
    const { url, drop } = await createMigratedDatabase();
    const found = async (key: string) =>
      named((await run(settings({ DATABASE_URL: url, SECRET_KEY: key }))).findings, 'key');
    const store = await openStore({ dataDir: folder, databaseUrl: url });
    try {
      // Which key it is, is recorded by the first server, and not by the doctor.
      expect([await found(others), await found(ours)]).toEqual([[], []]);
      await requireSameKey(store.db, openSealer({ dataDir: folder, secretKey: ours }));
      expect(await found(ours)).toEqual([]);
      expect(await found(others)).toMatchObject([
        { level: 'fail', message: expect.stringContaining('sealed with another key') },
      ]);
    } finally {
      await store.close();
      await drop();
    }
  });

  testAtLength('checks the mail server, and sends a test mail where an address is named', async () => {
    const sink = await openMailSink({ authOptional: false, allowInsecureAuth: true });
    const { user, password } = MAIL_LOGIN;
    const mail = {
      SMTP_URL: sink.url.replace('://', `://${user}:${encodeURIComponent(password)}@`),
      SMTP_FROM: 'Docs <docs@docloom.example>',
    };
    try {
      expect(named((await run(settings())).findings, 'mail')).toEqual([]);
      expect(named((await run(settings(mail))).findings, 'mail')).toMatchObject([
        { level: 'ok', message: expect.stringContaining('takes the login') },
      ]);
      expect(sink.mails).toEqual([]);
      const sent = await run(settings(mail), true, 'me@docs.example');
      expect(named(sent.findings, 'mail')).toMatchObject([{ level: 'ok' }]);
      expect(await sink.mailTo('me@docs.example')).toMatchObject({ subject: 'A test mail of Docloom' });
      sink.refusals.push(550);
      const refused = await run(settings(mail), true, 'me@docs.example');
      expect(named(refused.findings, 'mail')).toMatchObject([
        {
          level: 'fail',
          message: expect.stringContaining('The recipient was refused'),
          fix: expect.any(String),
        },
      ]);
      const wrong = await run(settings({ ...mail, SMTP_URL: sink.url.replace('://', '://docloom:hush@') }));
      expect(named(wrong.findings, 'mail')).toMatchObject([
        { level: 'fail', message: expect.stringContaining('The login of SMTP_URL was refused') },
      ]);
      const without = await run(settings(), true, 'me@docs.example');
      expect(named(without.findings, 'mail')).toMatchObject([{ level: 'fail' }]);
      await expect(run(settings(mail), true, 'me')).rejects.toThrow('must be an e-mail address');
    } finally {
      await sink.close();
    }
  });

  it('finds nothing to fix in a good set-up, and says what is left to do', async () => {
    const { exitCode, findings } = await run(settings());
    expect(exitCode).toBe(0);
    expect(findings.filter(({ level }) => level === 'fail')).toEqual([]);
    expect(findings.map(({ check }) => check)).toEqual(
      expect.arrayContaining(['node', 'git', 'settings', 'data folder', 'disk', 'database', 'app', 'clock']),
    );
    expect(named(findings, 'app')[0]?.message).toContain('“docs-app”');
    expect(named(findings, 'webhook')[0]).toMatchObject({ level: 'ok' });
    expect(named(findings, 'installations')[0]).toMatchObject({
      level: 'warn',
      fix: `Open ${forge.url}/apps/docs-app/installations/new.`,
    });
  });

  it('names each permission and event that is missing, and what does not work without it', async () => {
    forge.configureApp({
      ...app,
      permissions: {
        metadata: 'read',
        contents: 'read',
        pull_requests: 'read',
        merge_queues: 'read',
        checks: 'read',
      },
      events: ['push', 'pull_request', 'check_run', 'check_suite', 'merge_group'],
    });
    const { exitCode, findings } = await run(settings());
    forge.configureApp(app);
    expect(exitCode).toBe(1);
    const lacks = named(findings, 'permissions').map(({ level, message }) => [level, message.split('.')[0]]);
    expect(lacks).toEqual([
      ['fail', 'The App lacks the permission checks: read and write'],
      ['fail', 'The App lacks the permission statuses: read and write'],
      ['warn', 'The App lacks the permission issues: read and write'],
      ['warn', 'The App lacks the event repository'],
    ]);
    for (const { message, fix } of named(findings, 'permissions')) {
      expect(message).toMatch(/Without it this does not work: [A-Z]/);
      expect(fix).toContain('Permissions & events');
    }
  });

  it('shows to which other address events go, and why the last ones failed', async () => {
    forge.configureApp({ ...app, webhookUrl: 'http://127.0.0.1:9/elsewhere' });
    await forge.createRepository({ owner: 'me', name: 'docs' });
    forge.installApp({ owner: 'me', repositories: 'all' });
    await forge.waitForIdle();
    const { findings } = await run(settings());
    forge.configureApp(app);
    expect(named(findings, 'webhook')[0]).toMatchObject({ level: 'fail' });
    expect(named(findings, 'webhook')[0]?.message).toContain('http://127.0.0.1:9/elsewhere');
    expect(named(findings, 'deliveries')[0]).toMatchObject({
      level: 'fail',
      message: expect.stringContaining('1 of the last 1 deliveries failed'),
      fix: expect.stringContaining('GitHub could not connect'),
    });
    forge.changeInstallation('me', 'suspend');
    const after = await run(settings());
    expect(named(after.findings, 'installations')[0]?.message).toBe('The installation on me is suspended.');
  });

  const other = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });

  it.each([
    [
      'a key of another App',
      { PRIVATE_KEY: other.privateKey },
      'app',
      'does not accept the credentials of App 42',
    ],
    ['a setting that is wrong', { PORT: 'x' }, 'settings', 'PORT is'],
    ['no webhook secret', { WEBHOOK_SECRET: '' }, 'settings', 'WEBHOOK_SECRET is missing'],
    [
      'a database that is not there',
      { DATABASE_URL: 'postgres://me:hush@127.0.0.1:9/x' },
      'database',
      '127.0.0.1:9',
    ],
    ['a file as DATA_DIR', { DATA_DIR: 'a-file' }, 'data folder', 'is a file'],
    [
      'a platform that does not answer',
      { PLATFORM_URL: 'http://127.0.0.1:9', PLATFORM_TOKEN: 'hush' },
      'platform',
      'returned no usable answer',
    ],
  ])('fails for %s', async (_, more, check, words) => {
    const { DATA_DIR: name, ...rest } = more as Record<string, string>;
    const place: Record<string, string> = name === undefined ? {} : { DATA_DIR: join(folder, name) };
    const { exitCode, findings } = await run(settings({ ...rest, ...place }));
    expect(exitCode).toBe(1);
    const failed = named(findings, check).filter(({ level }) => level === 'fail');
    expect(failed[0]?.message).toContain(words);
    expect(failed[0]?.fix).toMatch(/[.?]$/);
  });

  it('knows an App that was set up in the browser, a change of its keys, and where to fix them', async () => {
    const { APP_ID: _, PRIVATE_KEY: __, WEBHOOK_SECRET: ___, ...rest } = settings();
    const store = await openStore({ dataDir: folder, databaseUrl: database.url });
    const sealer = openSealer({ dataDir: folder });
    const look = async () => (await run(rest)).findings;
    const change = (more: Partial<StoredApp>) =>
      changeStoredApp(store.db, sealer, 42, (candidate) => ({ ...candidate, ...more }));
    try {
      await storeApp(store.db, sealer, {
        host: new URL(forge.url).host,
        protocol: 'http',
        appId: 42,
        slug: 'docs-app',
        name: 'docs-app',
        url: `${forge.url}/apps/docs-app`,
        owner: 'me',
        clientId: 'Iv1.42',
        clientSecret: 'hush',
        privateKey: keys.privateKey,
        webhookSecret: SECRET,
      });
      const page = `${PUBLIC_URL}/setup`;
      expect(named(await look(), 'keys')[0]).toMatchObject({ level: 'ok' });
      await change({ webhookSecrets: ['hush', SECRET] });
      expect(named(await look(), 'keys')[0]).toMatchObject({
        level: 'warn',
        fix: `Press “New webhook secret” at ${page} again.`,
      });
      await change({ earlierUntil: '2999-01-01T00:00:00.000Z', privateKey: other.privateKey });
      const findings = await look();
      expect(named(findings, 'keys')[0]?.message).toContain('accepted until 2999-01-01');
      expect(named(findings, 'app')[0]).toMatchObject({
        level: 'fail',
        fix: expect.stringContaining(`enter it at ${page}`),
      });
      await deleteStoredApp(store.db);
      expect(named(await look(), 'app')[0]).toMatchObject({
        message: 'There is no GitHub App yet.',
        fix: expect.stringContaining(`opens ${page}.`),
      });
    } finally {
      await store.close();
    }
  });

  it('prints the findings for people, too', async () => {
    const { text } = await run({ DATA_DIR: join(folder, 'new'), PUBLIC_URL }, false);
    expect(text).toMatch(/^ok {4}node {10}Node \d/);
    expect(text).toContain('is made at the first start.');
    expect(text).toMatch(/warn {2}app {11}There is no GitHub App yet\.\n {20}→ Start docloom serve/);
    expect(text).toMatch(/\nAll works; \d to know of\.\n$/);
  });
});

it.each([
  [2, 'ok'],
  [-40, 'warn'],
  [90, 'fail'],
])('a clock that is %s s ahead is %s', (skew, level) => {
  expect(checkClock(skew).level).toBe(level);
});

it.each([
  [10 * 1024 ** 3, 'ok'],
  [1024 ** 3, 'warn'],
  [1024, 'fail'],
])('%s free bytes are %s', (bytes, level) => {
  expect(checkFreeSpace(bytes).level).toBe(level);
});

it.each([
  ['22.19.0', true],
  ['24.0.1', true],
  ['22.18.9', false],
  ['20.1.0', false],
])('Node %s is new enough: %s', (version, enough) => {
  expect(isAtLeast(version, [22, 19])).toBe(enough);
});
