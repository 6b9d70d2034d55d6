import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach } from 'vitest';
import type { CommandIo, ExitCode } from '../../../src/cli/command.ts';
import { type CheckOptions, runCheck } from '../../../src/cli/commands/check.ts';

export interface Ran {
  readonly code: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
  json(): ReturnType<typeof JSON.parse>;
}

/** A folder on disk for each test of a file, and the commands run in it. */
export function workFolder() {
  const folder = {
    root: '',
    write(files: Readonly<Record<string, string | Uint8Array>>): void {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(path.dirname(path.join(folder.root, name)), { recursive: true });
        writeFileSync(path.join(folder.root, name), text);
      }
    },
    read: (name: string) => readFileSync(path.join(folder.root, name), 'utf8'),
    remove: (name: string) => rmSync(path.join(folder.root, name), { recursive: true }),
    git(...args: string[]): string {
      const identity = ['-c', 'user.name=Docs Bot', '-c', 'user.email=bot@example.com'];
      const settings = ['-c', 'init.defaultBranch=main', '-c', 'core.autocrlf=false', ...identity];
      return execFileSync('git', ['-C', folder.root, ...settings, ...args], { encoding: 'utf8' }).trim();
    },
    commit(files: Readonly<Record<string, string | Uint8Array | null>>, message = 'A change'): string {
      for (const [name, text] of Object.entries(files)) {
        if (text === null) folder.remove(name);
        else folder.write({ [name]: text });
      }
      folder.git('add', '--all');
      folder.git('commit', '--quiet', '--allow-empty', '-m', message);
      return folder.git('rev-parse', 'HEAD');
    },
    /** Runs a command with a sink for what it says. */
    async run(command: (io: CommandIo) => Promise<ExitCode>, cwd = folder.root, isTty = false): Promise<Ran> {
      const said = { stdout: '', stderr: '' };
      const sink = (name: 'stdout' | 'stderr') =>
        Object.assign(
          new Writable({
            write(chunk, _encoding, done) {
              said[name] += String(chunk);
              done();
            },
          }),
          { isTTY: isTty },
        ) as unknown as NodeJS.WriteStream;
      const code = await command({
        stdout: sink('stdout'),
        stderr: sink('stderr'),
        env: {},
        cwd,
        signal: new AbortController().signal,
      });
      return { code, ...said, json: () => JSON.parse(said.stdout) };
    },
    check(options: Partial<CheckOptions> = {}, paths: readonly string[] = [], cwd = folder.root) {
      return folder.run((io) => runCheck(paths, { format: 'pretty', ...options }, io), cwd);
    },
  };
  beforeEach(() => {
    folder.root = realpathSync(mkdtempSync(path.join(tmpdir(), 'docloom-check-')));
  });
  afterEach(() => rmSync(folder.root, { recursive: true, force: true }));
  return folder;
}
