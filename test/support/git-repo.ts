import { spawn } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
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

/** Makes an empty bare repository with the git program. */
export async function createGitRepo(dir: string): Promise<TestRepo> {
  await mkdir(dir, { recursive: true });
  const git: TestRepo['git'] = (args, input) => run(args, dir, input);
  await git(['init', '--quiet', '--bare', '--initial-branch=main', '.']);
  let clock = Date.parse('2024-01-01T00:00:00Z') / 1000;

  return {
    dir,
    git,
    async commit(changes, { branch = 'main', message = 'Change things', from } = {}) {
      const ref = branch.startsWith('refs/') ? branch : `refs/heads/${branch}`;
      const tip = await git(['for-each-ref', '--format=%(objectname)', ref]);
      const parent = from === undefined ? tip : (from ?? '');
      await git(
        ['fast-import', '--quiet', '--force'],
        Buffer.concat([
          Buffer.from(`commit ${parent ? 'refs/docloom-test/next' : 'refs/docloom-test/root'}\n`),
          Buffer.from(`committer Docs Bot <bot@example.com> ${clock++} +0000\n`),
          data(message),
          Buffer.from(parent ? `from ${parent}\n` : 'deleteall\n'),
          ...Object.entries(changes).map(([path, change]) => fileCommand(path, change)),
          Buffer.from(`reset ${ref}\nfrom ${parent ? 'refs/docloom-test/next' : 'refs/docloom-test/root'}\n`),
        ]),
      );
      await git(['update-ref', '-d', parent ? 'refs/docloom-test/next' : 'refs/docloom-test/root']);
      return git(['rev-parse', ref]);
    },
    remove: () => rm(join(dir), { recursive: true, force: true }),
  };
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
