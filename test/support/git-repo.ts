import { spawn } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export type FileChange =
  | string
  | Uint8Array
  /** Deletes the file. */
  | null
  | { readonly executable: string }
  | { readonly symlink: string }
  /** The oid of a commit elsewhere. */
  | { readonly submodule: string };

export interface CommitOptions {
  /** Default `main`. A full ref name (`refs/pull/1/head`) is taken as it is. */
  readonly branch?: string;
  readonly message?: string;
  /** Default the branch's tip; null starts the branch anew, without history and files. */
  readonly from?: string | null;
}

/** A real bare repository, for tests. */
export interface TestRepo {
  readonly dir: string;
  /** Commits changes on top of a branch, which is made when absent, and answers the commit's oid. */
  commit(changes: Readonly<Record<string, FileChange>>, options?: CommitOptions): Promise<string>;
  /** Runs git in the repository and answers what it says, without the last line end. */
  git(args: readonly string[], input?: string | Uint8Array): Promise<string>;
  remove(): Promise<void>;
}

/** What a large host allows: filters, and any commit by its oid. */
const CONFIG = `[core]
	repositoryformatversion = 0
	bare = true
[uploadpack]
	allowFilter = true
	allowAnySHA1InWant = true
`;

/**
 * Makes an empty bare repository. Tests make hundreds of them and commit to each, and starting git costs more than its
 * work: so the folder is laid out here (gitrepository-layout(5)), and a commit is one `git fast-import`.
 */
export async function createGitRepo(dir: string): Promise<TestRepo> {
  for (const folder of ['objects', 'refs', 'hooks']) await mkdir(join(dir, folder), { recursive: true });
  await writeFile(join(dir, 'config'), CONFIG);
  await writeFile(join(dir, 'HEAD'), 'ref: refs/heads/main\n');
  const git: TestRepo['git'] = (args, input) => run(args, dir, input);
  let clock = Date.parse('2024-01-01T00:00:00Z') / 1000;

  return {
    dir,
    git,
    async commit(changes, { branch = 'main', message = 'Change things', from } = {}) {
      const ref = branch.startsWith('refs/') ? branch : `refs/heads/${branch}`;
      const parent = from === undefined ? await readRef(dir, ref) : from;
      return git(
        ['-c', 'fastimport.unpackLimit=0', 'fast-import', '--quiet', '--force'],
        Buffer.concat([
          Buffer.from(`commit ${ref}\nmark :1\n`),
          Buffer.from(`committer Docs Bot <bot@example.com> ${clock++} +0000\n`),
          data(message),
          Buffer.from(parent ? `from ${parent}\n` : 'deleteall\n'),
          ...Object.entries(changes).map(([path, change]) => fileCommand(path, change)),
          Buffer.from('\nget-mark :1\n'),
        ]),
      );
    },
    remove: () => rm(join(dir), { recursive: true, force: true }),
  };
}

/** The oid that a branch points at, from its own file or among the packed ones; null when it is absent. */
async function readRef(dir: string, ref: string): Promise<string | null> {
  const read = (file: string) => readFile(join(dir, file), 'utf8').catch(() => '');
  const loose = (await read(ref)).trim();
  if (loose !== '') return loose;
  const packed = (await read('packed-refs')).split('\n').find((line) => line.endsWith(` ${ref}`));
  return packed?.split(' ')[0] ?? null;
}

/** One line of a fast-import stream (git-fast-import(1), `filemodify` and `filedelete`). */
function fileCommand(path: string, change: FileChange): Buffer {
  const quoted = `"${path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
  if (change === null) return Buffer.from(`D ${quoted}\n`);
  if (typeof change === 'string' || change instanceof Uint8Array) return modify('100644', quoted, change);
  if ('executable' in change) return modify('100755', quoted, change.executable);
  if ('symlink' in change) return modify('120000', quoted, change.symlink);
  return Buffer.from(`M 160000 ${change.submodule} ${quoted}\n`);
}

function modify(mode: string, quoted: string, content: string | Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`M ${mode} inline ${quoted}\n`), data(content)]);
}

function data(content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')]);
}

function run(args: readonly string[], cwd: string, input?: string | Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env['PATH'] ?? '', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
    const child = spawn('git', args, { cwd, env });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk) => out.push(chunk));
    child.stderr.on('data', (chunk) => err.push(chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(Buffer.concat(out).toString().trimEnd());
      else reject(new Error(`git ${args.join(' ')} failed: ${Buffer.concat(err)}`));
    });
    child.stdin.on('error', () => {});
    child.stdin.end(input ?? '');
  });
}
