/**
 * Makes the fixture of a release, with that release's own program: `fixtures/upgrade/README.md` says how and when.
 *
 *   DATABASE_URL=postgresql://… node test/support/upgrade/make-fixture.ts CHECKOUT
 *
 * CHECKOUT is a clone at the release's commit after `npm ci`, DATABASE_URL an empty database. A forge and
 * `docloom serve` of the release are started, documentation is pushed, edited, proposed, translated; then the server is
 * stopped, and its database and blobs are written to `fixtures/upgrade/<release>/`, with what its API answered.
 */
import { execFile, spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Octokit } from '@octokit/rest';
import { waitFor } from '../../../src/cli/demo/narrator.ts';
import { waitForCheck, waitForStatuses } from '../../../src/cli/demo/observe.ts';
import { gitIn } from '../../../src/cli/demo/run-git.ts';
import { startForge } from '../../../src/sandbox/index.ts';
import { pickPort } from '../pick-port.ts';
import { FIXTURE_SECRET_KEY, fixtureFolder, listAnswers, PUBLIC_URL } from './fixture.ts';

const run = promisify(execFile);
const OWNER = 'lantern';
const REPOSITORY = { owner: OWNER, repo: 'docs' };

const SETTINGS = `spaces:
  - directory: guide
    title: Lantern Guide
    direction: both
  - directory: reference
    title: Lantern Reference
openapi:
  - name: lantern
    file: api.yaml
translations:
  - space: reference
    languages: [de]
external-links:
  schedule: monthly
`;

const API = `openapi: 3.1.0
info: { title: Lantern, version: '1' }
paths:
  /watches:
    get:
      operationId: listWatches
      summary: Lists the watches
      responses: { '200': { description: All of them } }
`;

await main(resolve(process.argv[2] ?? ''), process.env['DATABASE_URL'] ?? '');

async function main(checkout: string, databaseUrl: string): Promise<void> {
  const { version } = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8'));
  const folder = await mkdtemp(join(tmpdir(), 'docloom-fixture-'));
  await chmod(folder, 0o711);
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  const port = await pickPort();
  const url = `http://127.0.0.1:${port}`;
  const keys = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const app = { id: 1001, slug: 'docloom', webhookSecret: randomBytes(24).toString('hex') };
  const forge = await startForge({
    dataDir: join(folder, 'forge'),
    app: { ...app, publicKeyPem: keys.publicKey, webhookUrl: `${url}/api/github/webhooks` },
  });
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    SECRET_KEY: FIXTURE_SECRET_KEY,
    PORT: String(port),
    PUBLIC_URL,
    APP_ID: String(app.id),
    PRIVATE_KEY: keys.privateKey,
    WEBHOOK_SECRET: app.webhookSecret,
    GHE_HOST: new URL(forge.url).host,
    GHE_PROTOCOL: 'http',
    ALLOWED_HOSTS: new URL(forge.url).host,
  };
  const program = join(checkout, 'dist/cli/main.js');
  const server = spawn(process.execPath, [program, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  server.stdout.pipe(createWriteStream(join(folder, 'serve.log')));
  process.once('exit', () => server.kill()); // also when a step fails
  await waitFor('docloom serve', async () => (await isUp(url)) || undefined);

  const { stdout } = await run(
    process.execPath,
    [program, 'token', 'create', '--name', 'fixture', '--role', 'admin'],
    { env },
  );
  const call = caller(url, stdout.trim());
  const user = forge.createUser(OWNER);
  const { cloneUrl } = await forge.createRepository({ owner: OWNER, name: REPOSITORY.repo });
  forge.installApp({ owner: OWNER, repositories: 'all' });
  const octokit = new Octokit({ auth: user.token, baseUrl: forge.apiUrl });

  const workTree = join(folder, 'work-tree');
  const git = gitIn(workTree);
  await gitIn(folder)('clone', '--quiet', cloneUrl.replace('://', `://${OWNER}:${user.token}@`), workTree);
  await cp(join(checkout, 'fixtures/demo'), workTree, { recursive: true });
  await writeFile(join(workTree, '.github/docloom.yml'), SETTINGS);
  await writeFile(join(workTree, 'api.yaml'), API);
  const push = async (message: string, branch: string) => {
    await git('add', '--all');
    await git('commit', '--quiet', '--message', message);
    await git('push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`);
    return await git('rev-parse', 'HEAD');
  };
  // A push, and a second one that moves a page.
  await waitForStatuses(octokit, REPOSITORY, await push('Write the docs of Lantern', 'main'), 3);
  await git('mv', 'guide/first-watch.md', 'guide/first-steps.md');
  await git('grep', '-l', 'first-watch.md').then(async (files) => {
    for (const file of files.split('\n')) {
      const path = join(workTree, file);
      await writeFile(path, (await readFile(path, 'utf8')).replaceAll('first-watch.md', 'first-steps.md'));
    }
  });
  await waitForStatuses(octokit, REPOSITORY, await push('Call the first watch first steps', 'main'), 2);

  // A pull request that breaks links.
  await git('switch', '--quiet', '--create', 'remove-patterns');
  await git('rm', '--quiet', 'guide/patterns.md');
  const head = await push('Remove the patterns', 'remove-patterns');
  await octokit.pulls.create({ ...REPOSITORY, base: 'main', head: 'remove-patterns', title: 'Fewer pages' });
  await waitForCheck(octokit, REPOSITORY, head);

  // What people make over the API: an organization's collection, spaces, change requests, one of which becomes an export.
  const { items: organizations } = await call('GET', '/orgs');
  const organization = `/orgs/${organizations[0].id}`;
  const collection = await call('POST', `${organization}/collections`, { title: 'Handbooks' });
  const { items: spaces } = await call('GET', `${organization}/spaces`);
  const guide = spaces.find((space: { title: string }) => space.title === 'Lantern Guide');
  const own = await call('POST', `${organization}/spaces`, { title: 'Notes', parent: collection.id });
  await propose(
    call,
    own.id,
    'Write the first note',
    'README.md',
    '# Notes\n\nA [link](missing.md).\n',
    true,
  );
  await propose(call, own.id, 'A second note', 'second.md', '# Second\n', false);
  await propose(call, guide.id, 'Say more', 'guide/lanterns.md', '# More about lanterns\n', true);
  await waitFor('the export', async () => {
    const { items } = await call('GET', `/spaces/${guide.id}/git/operations`);
    return items.some(
      (item: { direction: string; state: string }) => item.direction === 'export' && item.state === 'success',
    )
      ? true
      : undefined;
  });
  await waitFor('the translation', async () => {
    const { items } = await call('GET', `${organization}/translations`);
    return items[0]?.status === 'completed' ? true : undefined;
  });
  const answers = await listAnswers(call);

  server.kill('SIGTERM');
  await once(server, 'exit');
  await addJobs(checkout, { dataDir, databaseUrl });
  await forge.stop();

  const target = fixtureFolder(version);
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  await cp(join(dataDir, 'blobs'), join(target, 'blobs'), { recursive: true });
  await writeFile(join(target, 'answers.json'), `${JSON.stringify(answers, null, 1)}\n`);
  await writeFile(join(target, 'database.sql'), await dump(databaseUrl));
  await rm(folder, { recursive: true });
  process.stdout.write(`${target} is made.\n`);
}

type Call = ReturnType<typeof caller>;

/** Calls the API. @throws with the answer when it is not a success. */
function caller(url: string, token: string) {
  // biome-ignore lint/suspicious/noExplicitAny: answers of a release, whose types are not those of this checkout.
  return async (method: string, path: string, body?: unknown): Promise<any> => {
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
}

/** A change request with one written page, open or merged. */
async function propose(
  call: Call,
  spaceId: string,
  subject: string,
  path: string,
  text: string,
  isMerged: boolean,
): Promise<void> {
  const base = `/spaces/${spaceId}/change-requests`;
  const { id } = await call('POST', base, { subject });
  await call('POST', `${base}/${id}/content`, { changes: [{ type: 'write', path, text }] });
  await call('PATCH', `${base}/${id}`, { status: 'open' });
  if (isMerged) await call('POST', `${base}/${id}/merge`);
}

/** Jobs of the release's own queue: one that failed, one that waits for long, one that is due. All are rate-limited. */
async function addJobs(
  checkout: string,
  options: { readonly dataDir: string; readonly databaseUrl: string },
): Promise<void> {
  const load = (path: string) => import(pathToFileURL(join(checkout, 'dist', path)).href);
  const { openStore } = await load('store/index.js');
  const { openQueue, PermanentFailure } = await load('queue/index.js');
  const { linkJob } = await load('sync/external-links/link-job.js');
  const store = await openStore(options);
  const queue = await openQueue(store);
  const about = (name: string) => ({
    url: `https://${name}.invalid/`,
    at: `https://${name}.invalid/`,
    method: 'HEAD',
    hops: 0,
    isPermanent: true,
    share: '1',
  });
  await queue.enqueue(store.db, linkJob, about('failed'));
  await queue.work(linkJob, async () => {
    throw new PermanentFailure('The address is refused.');
  });
  await waitFor('the job to fail', async () =>
    (await queue.failed()).some(({ error }: { error: string }) => error === 'The address is refused.')
      ? true
      : undefined,
  );
  await queue.stop();
  const later = await openQueue(store);
  await later.enqueue(store.db, linkJob, about('later'), { startAfter: 1000 * 24 * 60 * 60 });
  await later.enqueue(store.db, linkJob, about('due'));
  await later.stop();
  await store.close();
}

/** Statements that every PostgreSQL from 15 on takes, without the dump program's own commands. */
async function dump(databaseUrl: string): Promise<string> {
  const { stdout } = await run(
    'pg_dump',
    ['--no-owner', '--no-privileges', '--inserts', '--rows-per-insert=100', databaseUrl],
    { maxBuffer: 1 << 28 },
  );
  return stdout
    .split('\n')
    .filter((line) => !/^(--|\\|SET |$)/.test(line))
    .join('\n');
}

async function isUp(url: string): Promise<boolean> {
  return await fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}
