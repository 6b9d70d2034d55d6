/** `docloom sandbox` as a user runs it: what it prints works, and a restart brings it back. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { casesAtLength } from '../support/describe-at-length.ts';

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const running = new Set<ChildProcess>();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox command '));
});
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

async function start(...more: string[]): Promise<{ text: string; stop: () => Promise<number> }> {
  const args = [main, 'sandbox', '--port', '0', '--data-dir', join(folder, 'data'), ...more];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let text = '';
  child.stderr.on('data', (part: Buffer) => {
    text += part;
  });
  for await (const part of child.stdout.iterator({ destroyOnReturn: false })) {
    text += part;
    if (text.includes('Press Ctrl+C')) break;
  }
  child.stdout.resume();
  const stop = async (): Promise<number> => {
    child.kill('SIGINT');
    await once(child, 'exit');
    return child.exitCode ?? -1;
  };
  return { text, stop };
}

/** Runs what was printed, in a shell, as a user would. */
async function shell(script: string): Promise<string> {
  const env = { PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' };
  return (await promisify(execFile)('sh', ['-euc', script], { cwd: folder, env })).stdout.trim();
}

it('prints settings and commands that work, with no token in a command line', async () => {
  const first = await start();
  const clone = /^ {2}(git clone .*)$/m.exec(first.text)?.[1] ?? '';
  expect(clone).not.toMatch(/ghp_/);
  const head =
    await shell(`${clone} work && cd work && git config user.name me && git config user.email me@localhost
    git checkout -q -B main && echo hello > README.md && git add . && git commit -qm first && git push -q origin main && git rev-parse HEAD`);
  const settings = await readFile(join(folder, 'data', 'docloom.env'), 'utf8');
  for (const name of [
    'APP_ID',
    'PRIVATE_KEY_PATH',
    'WEBHOOK_SECRET',
    'GHE_HOST',
    'GHE_PROTOCOL',
    'ALLOWED_HOSTS',
  ]) {
    expect(settings).toMatch(new RegExp(`^${name}=.+$`, 'm'));
    expect(first.text).toContain(`export ${name}=`);
  }
  for (const file of ['app.pem', 'app.json', 'docloom.env', 'git-credentials', 'netrc']) {
    expect((await stat(join(folder, 'data', file))).mode & 0o077).toBe(0);
  }
  expect(
    await shell(`set -a; . "${join(folder, 'data', 'docloom.env')}"; head -1 "$PRIVATE_KEY_PATH"`),
  ).toContain('PRIVATE KEY');
  const curl = /^ {2}(curl .*\n.*\n.*)$/m.exec(first.text)?.[1] ?? '';
  expect(curl).not.toMatch(/ghp_/);
  const opened =
    await shell(`cd work && git checkout -q -b my-branch && git commit -q --allow-empty -m second \\
    && git push -q origin my-branch && ${curl}`);
  expect(opened).toMatch(/^"html_url":"http:.*\/me\/docs\/pull\/1"$/);
  expect(await first.stop()).toBe(0);

  const second = await start();
  const again = /^ {2}(git clone .*)$/m.exec(second.text)?.[1] ?? '';
  expect(await shell(`${again} again && cd again && git rev-parse HEAD`)).toBe(head);
  const secret = /WEBHOOK_SECRET=(\w+)/;
  expect(secret.exec(second.text)?.[1]).toBe(secret.exec(first.text)?.[1]);
  await second.stop();
});

it('says which data folder cannot be used, and why', async () => {
  const file = join(folder, 'a file');
  await writeFile(file, '');
  const run = promisify(execFile)(process.execPath, [main, 'sandbox', '--data-dir', join(file, 'data')]);
  await expect(run).rejects.toMatchObject({
    code: 2,
    stderr: `docloom: The data folder ${join(file, 'data')} cannot be used: a file is in its place or above it. Choose another folder with --data-dir, or change this one.\n`,
  });
});

const wrong = casesAtLength('more wrong options of docloom sandbox', [], [
  ['--port', 'many'],
  ['--port', '70000'],
  ['--webhook-url', 'ftp://example.com/'],
] as const);
it.each(wrong)('refuses %s %s with exit code 2 and a sentence', async (name, value) => {
  const run = promisify(execFile)(process.execPath, [
    main,
    'sandbox',
    '--data-dir',
    join(folder, 'bad'),
    name,
    value,
  ]);
  await expect(run).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining(name) });
});
