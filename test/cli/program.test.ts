/** The built command line as a process: what it prints and how it ends. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/program.ts';
import { casesAtLength, testAtLength } from '../support/describe-at-length.ts';
import { PATIENCE_MS } from '../support/patience.ts';

const { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS } = process.env;
const main = join(process.cwd(), 'src/cli/main.ts');
const folder = mkdtempSync(join(tmpdir(), 'docloom-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'good.md'), '# Good\n\n[Itself](#good)\n');
writeFileSync(join(folder, 'bad.md'), '# Bad\n\n[Gone](gone.md)\n');

function docloom(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS, APP_ID: 'x', WEBHOOK_SECRET: 'hush' },
  });
  return { status, stdout, stderr };
}

describe('docloom', () => {
  it.each(
    casesAtLength(
      'more commands as processes',
      [
        [['--help'], 0, /Usage: docloom/, 'stdout'],
        [['check', 'bad.md'], 1, /gone\.md/, 'stdout'],
        [['chekc'], 2, /chekc/, 'stderr'],
      ] as const,
      [
        [['--version'], 0, /^\d+\.\d+\.\d+/, 'stdout'],
        [['serve'], 2, /APP_ID must be the App's number/, 'stderr'],
        [['check', 'good.md'], 0, /ok|0 broken|no broken/i, 'stdout'],
        [['check', 'absent'], 2, /absent/, 'stderr'],
        [['check', '--format', 'xml'], 2, /pretty.*json/, 'stderr'],
        [['token', 'create'], 2, /--name/, 'stderr'],
        [['token', 'create', '--name', 'me'], 2, /There is no database in \S+: set DATA_DIR/, 'stderr'],
      ] as const,
    ),
  )('%j ends with %i', (args, status, words, stream) => {
    const result = docloom(...args);
    expect(result[stream]).toMatch(words);
    expect(result.status).toBe(status);
    expect(result.stdout + result.stderr).not.toContain('hush');
  });

  it.each([[['token', 'create', '--name', 'me']], [['token', 'list']], [['jobs']]])(
    '%j creates no database',
    async (args) => {
      const env = { DATA_DIR: join(folder, 'data') };
      const { stdout, stderr } = process;
      const io = { stdout, stderr, env, cwd: folder, signal: AbortSignal.timeout(PATIENCE_MS) };
      const program = buildProgram(io, () => {});
      await expect(program.parseAsync(args, { from: 'user' })).rejects.toThrow(/^There is no database in /);
      expect(readdirSync(folder).toSorted()).toEqual(['bad.md', 'good.md']);
    },
  );

  testAtLength('exits silently when the reader of its output stops early', () => {
    const line = '"$0" "$1" check bad.md | true; echo "$PIPESTATUS"';
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', line, process.execPath, main], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS },
    });
    expect({ stdout, stderr }).toEqual({ stdout: '1\n', stderr: '' });
  });
});
