/** What `npm pack` makes is installed into an empty folder, with the packages that it names and no others, and works there. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeAtLength } from '../support/describe-at-length.ts';

const run = promisify(execFile);

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
});
