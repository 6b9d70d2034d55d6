import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
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
export function workFolder(): WorkFolder {
  const folder = new WorkFolder();
  beforeEach(() => {
    folder.root = realpathSync(mkdtempSync(path.join(tmpdir(), 'docloom-check-')));
  });
  afterEach(() => rmSync(folder.root, { recursive: true, force: true }));
  return folder;
}

const CONFIG = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = false
	logallrefupdates = true
`;

export class WorkFolder {
  root = '';

  readonly write = (files: Readonly<Record<string, string | Uint8Array>>): void => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(this.root, name)), { recursive: true });
      writeFileSync(path.join(this.root, name), text);
    }
  };

  readonly git = (...args: string[]): string => {
    if (args.join(' ') === 'init --quiet') return this.#layOut();
    const identity = ['-c', 'user.name=Docs Bot', '-c', 'user.email=bot@example.com'];
    // No look, after each commit, for what could be tidied up: that is a process of its own.
    const quick = ['-c', 'maintenance.auto=false', '-c', 'init.templateDir='];
    const settings = ['-c', 'init.defaultBranch=main', '-c', 'core.autocrlf=false', ...quick, ...identity];
    return execFileSync('git', ['-C', this.root, ...settings, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  };

  read(name: string): string {
    return readFileSync(path.join(this.root, name), 'utf8');
  }

  remove(name: string): void {
    rmSync(path.join(this.root, name), { recursive: true });
  }

  /** Writes (null deletes) and commits, and answers the commit. */
  commit(files: Readonly<Record<string, string | Uint8Array | null>>): string {
    for (const [name, text] of Object.entries(files)) {
      if (text === null) this.remove(name);
      else this.write({ [name]: text });
    }
    this.git('add', '--all');
    this.git('commit', '--quiet', '--allow-empty', '-m', 'A change');
    return this.#tip() ?? this.git('rev-parse', 'HEAD');
  }

  /** An empty repository as `git init` makes it (gitrepository-layout(5)), without starting git. */
  #layOut(): string {
    for (const empty of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags'])
      mkdirSync(path.join(this.root, '.git', empty), { recursive: true });
    this.write({ '.git/HEAD': 'ref: refs/heads/main\n', '.git/config': CONFIG });
    return '';
  }

  /** The commit that is checked out, where its branch has a file. */
  #tip(): string | null {
    const ref = /^ref: (refs\/heads\/\S+)$/m.exec(this.read('.git/HEAD'))?.[1];
    const file = path.join(this.root, '.git', ref ?? 'none');
    return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
  }

  /** Runs a command with a sink for what it says. */
  async run(command: (io: CommandIo) => Promise<ExitCode>, cwd = this.root, isTty = false): Promise<Ran> {
    const stdout = new Sink(isTty);
    const stderr = new Sink(isTty);
    const io = { env: {}, cwd, signal: new AbortController().signal };
    const code = await command({ stdout: stdout.stream, stderr: stderr.stream, ...io });
    return { code, stdout: stdout.text, stderr: stderr.text, json: () => JSON.parse(stdout.text) };
  }

  check(options: Partial<CheckOptions> = {}, paths: readonly string[] = [], cwd = this.root): Promise<Ran> {
    return this.run((io) => runCheck(paths, { format: 'pretty', ...options }, io), cwd);
  }
}

class Sink {
  text = '';
  readonly stream: NodeJS.WriteStream;

  constructor(isTTY: boolean) {
    const writable = new Writable({
      write: (chunk, _encoding, done) => {
        this.text += String(chunk);
        done();
      },
    });
    this.stream = Object.assign(writable, { isTTY }) as NodeJS.WriteStream;
  }
}
