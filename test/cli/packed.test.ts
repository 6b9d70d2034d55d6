/** What `npm pack` makes is installed into an empty folder, with the packages that it names and no others, and works there. */
import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import S3rver from '@20minutes/s3rver';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createNarrator } from '../../src/cli/demo/narrator.ts';
import { openStage, type Stage } from '../../src/cli/demo/open-stage.ts';
import { playStory } from '../../src/cli/demo/play-story.ts';
import type { Environment } from '../../src/server/config/index.ts';
import { startPasswordServer } from '../store/password-server.ts';
import { describeAtLength, tellLeftOut } from '../support/describe-at-length.ts';
import { pickStagePorts } from '../support/pick-port.ts';

const run = promisify(execFile);

const STARLIGHT = `import starlight from '@astrojs/starlight';
export default { integrations: [starlight({ title: 'A' })] };
`;

describeAtLength('npm pack', false, () => {
  let folder: string;
  let main: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docloom-packed-'));
    // `dist` is there: `npm ci` builds it.
    const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]);
    const [{ filename }] = JSON.parse(stdout);
    await run('tar', ['-xzf', join(folder, filename), '-C', folder]);
    main = join(folder, 'package/dist/cli/main.js');
    const lock = JSON.parse(await readFile('package-lock.json', 'utf8'));
    for (const [path, { dev }] of Object.entries<{ dev?: boolean }>(lock.packages)) {
      if (dev === true || !/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path)) continue;
      const target = join(folder, 'package', path);
      await mkdir(dirname(target), { recursive: true });
      await symlink(resolve(path), target);
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('has the license, and nothing of the tests', async () => {
    const { stdout } = await run(
      'tar',
      ['-tf', (await run('ls', [folder])).stdout.match(/\S+\.tgz/)?.[0] ?? ''],
      {
        cwd: folder,
      },
    );
    const names = stdout.trim().split('\n');
    expect(names).toContain('package/LICENSE');
    expect(
      names.filter((name) => /\/(test|bench|src|node_modules)\//.test(name.replace('dist/', ''))),
    ).toEqual([]);
  });

  it('checks, and shows the whole job with its server, PostgreSQL and the stand-in for GitHub', async () => {
    const env = { ...process.env, NODE_OPTIONS: '' };
    const { version } = JSON.parse(await readFile('package.json', 'utf8'));
    expect((await run(process.execPath, [main, '--version'], { cwd: folder, env })).stdout.trim()).toBe(
      version,
    );
    const checked = await run(process.execPath, [main, 'check', 'package/README.md'], {
      cwd: folder,
      env,
    }).catch((error: { stdout: string }) => error);
    expect(checked.stdout).toMatch(/\d+ links? in 1 file/);
    const { stdout } = await run(process.execPath, [main, 'demo', '--once'], { cwd: folder, env });
    expect(stdout).toContain('success');
  });

  // Each format, and what only some configurations need, is loaded when a check meets it.
  it.each<[string, Record<string, string>, string]>([
    ['no configuration', {}, ''],
    ['settings in TOML beside the pages', { 'netlify.toml': '[build]\npublish = "out"\n' }, ''],
    ['mdBook', { 'book.toml': '[book]\ntitle = "A"\n', 'src/SUMMARY.md': '- [A](a.md)\n' }, 'src/'],
    ['MkDocs', { 'mkdocs.yml': 'site_name: A\n' }, 'docs/'],
    [
      'Docusaurus',
      { 'docusaurus.config.js': "export default { url: 'https://a.b', baseUrl: '/' };\n" },
      'docs/',
    ],
    ['VitePress', { 'docs/.vitepress/config.ts': "export default { title: 'A' };\n" }, 'docs/'],
    ['GitBook', { 'README.md': '# A\n', 'SUMMARY.md': '* [A](README.md)\n' }, ''],
    ['Starlight', { 'astro.config.mjs': STARLIGHT }, 'src/content/docs/'],
  ])('checks pages with %s', async (_, files, pages) => {
    const site = await mkdtemp(join(folder, 'site-'));
    const written = { ...files, [`${pages}a.md`]: '---\ntitle: A\n---\n\n[b](./missing.md)\n' };
    for (const [path, text] of Object.entries(written)) {
      await mkdir(dirname(join(site, path)), { recursive: true });
      await writeFile(join(site, path), text);
    }
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'check', '--format', 'json', '.'], {
      cwd: site,
      env: { ...process.env, NODE_OPTIONS: '' },
      encoding: 'utf8',
    });
    // Also Node's warning of files that load each other.
    expect(stderr).toBe('');
    expect(JSON.parse(stdout).links).toMatchObject([{ file: `${pages}a.md`, status: 'broken' }]);
    expect(status).toBe(1);
  });

  // Whoever may not do this still runs the tests of Dockerfile, the compose files and the chart, which ask for the same.
  if (spawnSync('unshare', ['--mount', 'mount', '--make-rprivate', '/']).status !== 0)
    tellLeftOut('npm pack on a read-only root, which needs to be root and unshare of util-linux');
  else
    it('does the whole job as its container runs: not root, without rights, on a root that is read-only', async () => {
      const script = join(import.meta.dirname, 'read-only-root.sh');
      const command = ['unshare', '--mount', 'sh', script, join(folder, 'package'), resolve('node_modules')];
      await playIn(command as [string, ...string[]], async (stage) => {
        const status = await readFile(`/proc/${stage.docloom().pid}/status`, 'utf8');
        expect(status).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
        expect(status).toMatch(/^CapEff:\t0+$/m);
        expect(status).toMatch(/^NoNewPrivs:\t1$/m);
      });
    });
});

// Where an engine is, with the name of an image that it built: DOCLOOM_IMAGE=docloom npx vitest run test/cli/packed.test.ts.
// DOCLOOM_RUN has what starts a container (docker run), with options that the machine needs.
const image = process.env['DOCLOOM_IMAGE'];
if (image !== undefined)
  it('the image does the whole job with the rights that compose.yaml gives', async () => {
    const { docloom } = parse(await readFile('compose.yaml', 'utf8')).services;
    expect(docloom.read_only).toBe(true);
    const rights = [
      '--read-only',
      ...docloom.tmpfs.map((place: string) => `--tmpfs=${place}`),
      ...docloom.cap_drop.map((right: string) => `--cap-drop=${right}`),
      ...docloom.security_opt.map((option: string) => `--security-opt=${option}`),
    ];
    const folder = await mkdtemp(join(tmpdir(), 'docloom-objects-'));
    const objects = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory: folder,
      configureBuckets: [{ name: 'docloom' }],
    });
    const { port } = await objects.run();
    const blobs = {
      BLOBS_URL: 's3://docloom/bytes',
      BLOBS_ENDPOINT: `http://127.0.0.1:${port}`,
      BLOBS_ACCESS_KEY_ID: 'S3RVER',
      BLOBS_SECRET_ACCESS_KEY: 'S3RVER',
    };
    const settings = [
      ...['APP_ID', 'WEBHOOK_SECRET', 'GHE_HOST', 'GHE_PROTOCOL', 'PORT', 'PUBLIC_URL', 'PRIVATE_KEY'],
      ...['DATABASE_URL', 'SECRET_KEY', ...Object.keys(blobs)],
    ].flatMap((name) => ['--env', name]);
    const start = (process.env['DOCLOOM_RUN'] ?? 'docker run').split(' ');
    // The key is handed over as text, since its file is for the user of the tests alone.
    const withKey = ['sh', '-c', 'PRIVATE_KEY=$(cat "$PRIVATE_KEY_PATH") exec "$@"', 'sh'] as const;
    await playIn(
      [...withKey, ...start, '--rm', '--network=host', ...rights, ...settings, image],
      () => {},
      blobs,
    );
    await objects.close();
    await rm(folder, { recursive: true });
  });

/** Plays the demo's story with the server that the command starts, on a PostgreSQL of its own. */
async function playIn(
  command: readonly [string, ...string[]],
  check: (stage: Stage) => void | Promise<void>,
  env: Environment = {},
): Promise<void> {
  const password = randomBytes(9).toString('hex');
  const database = await startPasswordServer(password);
  const stage = await openStage({
    signal: AbortSignal.timeout(200_000),
    ports: await pickStagePorts(),
    env: {
      DATABASE_URL: `postgres://docs:${password}@127.0.0.1:${database.port}/docs`,
      SECRET_KEY: 'a key that is as long as it must be',
      ...env,
    },
    command,
  });
  try {
    await check(stage);
    const told = createNarrator({ write: () => true });
    const { outcome } = await playStory(stage, told, AbortSignal.timeout(200_000));
    expect(outcome).toMatchObject({
      ok: true,
      push: { pages: 12, links: { broken: 1 } },
      pullRequest: { conclusion: 'failure', annotations: 12 },
      mended: { conclusion: 'success' },
    });
    expect(await readFile(stage.logFile, 'utf8')).not.toMatch(/EROFS|EACCES|EPERM/);
  } finally {
    await stage.close();
    await database.close();
  }
}
