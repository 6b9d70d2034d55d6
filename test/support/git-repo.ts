import { spawn } from 'node:child_process';
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readLooseObject, writeLooseObject } from '../../src/sandbox/git/loose-object.ts';

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
  /** Default `main`. A full ref name (`refs/pull/1/head`) is used as it is. */
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
  /** Runs git in the repository and answers its output, without the last line end. */
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

/** A commit of more files, or bytes, is left to git, which packs them: whoever fetches loose ones waits for that. */
const MAX_LOOSE_CHANGES = 50;
const MAX_LOOSE_BYTES = 1024 * 1024;

/**
 * Makes an empty bare repository. Tests make hundreds of them and commit to each, and starting git costs more than its
 * work: so the folder is laid out here (gitrepository-layout(5)), and the objects of a small commit are written without
 * git. Other commits are one `git fast-import`.
 *
 * @param objects The folder of another repository's objects, to share them with it.
 */
export async function createGitRepo(dir: string, { objects }: { objects?: string } = {}): Promise<TestRepo> {
  for (const folder of ['refs/heads', 'hooks']) await mkdir(join(dir, folder), { recursive: true });
  if (objects === undefined) await mkdir(join(dir, 'objects'));
  else await symlink(objects, join(dir, 'objects'));
  await writeFile(join(dir, 'config'), CONFIG);
  await writeFile(join(dir, 'HEAD'), 'ref: refs/heads/main\n');
  let clock = Date.parse('2024-01-01T00:00:00Z') / 1000;

  return {
    dir,
    async git(args, input) {
      const [command, name = '', start = ''] = args;
      const head = (branch: string) => `refs/heads/${branch}`;
      if (command === 'rev-parse' && args.length === 2) {
        const known = await readRef(dir, head(name));
        if (known !== null) return known;
      }
      if (command === 'branch' && args.length === 3 && (await readRef(dir, head(name))) === null) {
        const to = await readRef(dir, head(start));
        if (to !== null && (await moveRef(dir, head(name), { to }))) return '';
      }
      return await run(args, dir, input);
    },
    async commit(changes, { branch = 'main', message = 'Change things', from } = {}) {
      const ref = branch.startsWith('refs/') ? branch : `refs/heads/${branch}`;
      const parent = from === undefined ? await readRef(dir, ref) : from;
      const committer = `Docs Bot <bot@example.com> ${clock++} +0000`;
      if (isSmall(changes)) {
        const oid = await commitLoose(dir, changes, { parent, committer, message });
        if (oid !== null && (await moveRef(dir, ref, { to: oid }))) return oid;
      }
      return run(
        ['-c', 'fastimport.unpackLimit=0', 'fast-import', '--quiet', '--force'],
        dir,
        Buffer.concat([
          Buffer.from(`commit ${ref}\nmark :1\ncommitter ${committer}\n`),
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

function isSmall(changes: Readonly<Record<string, FileChange>>): boolean {
  const files = Object.values(changes);
  const bytes = files.reduce((sum, file) => sum + (file instanceof Uint8Array ? file.length : 0), 0);
  return files.length <= MAX_LOOSE_CHANGES && bytes <= MAX_LOOSE_BYTES;
}

/** The oid that a ref points at, from its own file or among the packed ones; null when it is absent. */
export async function readRef(dir: string, ref: string): Promise<string | null> {
  const read = (file: string) => readFile(join(dir, file), 'utf8').catch(() => '');
  const loose = (await read(ref)).trim();
  if (loose !== '') return loose;
  const packed = (await read('packed-refs')).split('\n').find((line) => line.endsWith(` ${ref}`));
  return packed?.split(' ')[0] ?? null;
}

/**
 * Points a ref at another commit, or removes it (null), behind the lock that git takes, too.
 *
 * @returns Whether it did: not where git has the lock or a part of the name is a ref, nor where the ref does not point
 *   at `from`, if that is said.
 */
export async function moveRef(
  dir: string,
  ref: string,
  { from, to }: { readonly from?: string | null; readonly to: string | null },
): Promise<boolean> {
  const file = join(dir, ref);
  const lock = `${file}.lock`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(lock, `${to}\n`, { flag: 'wx' });
  } catch {
    return false;
  }
  const isExpected = from === undefined || (await readRef(dir, ref)) === from;
  if (isExpected && to !== null) await rename(lock, file);
  if (isExpected && to === null) await rm(file);
  if (!isExpected || to === null) await rm(lock);
  return isExpected;
}

/** Writes a commit's objects as files of their own. Null when it builds on packed ones, which are for git to read. */
async function commitLoose(
  dir: string,
  changes: Readonly<Record<string, FileChange>>,
  { parent, committer, message }: { parent: string | null; committer: string; message: string },
): Promise<string | null> {
  const text = parent && (await readLooseObject(dir, parent))?.content.toString();
  const base = text && /^tree ([0-9a-f]{40})$/m.exec(text)?.[1];
  if (parent && !base) return null;
  const tree = await writeTree(dir, base || null, changes);
  if (tree === null) return null;
  const people = `author ${committer}\ncommitter ${committer}\n`;
  const head = `tree ${tree}\n${parent ? `parent ${parent}\n` : ''}${people}`;
  return writeLooseObject(dir, 'commit', Buffer.from(`${head}\n${message}`));
}

interface Entry {
  readonly mode: string;
  readonly oid: string;
}

/** Git's own name of the tree without entries. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const FOLDER = '40000';

async function writeTree(
  dir: string,
  base: string | null,
  changes: Readonly<Record<string, FileChange>>,
): Promise<string | null> {
  const entries = base === null ? new Map<string, Entry>() : await readTree(dir, base);
  if (entries === null) return null;
  const below = new Map<string, Record<string, FileChange>>();
  for (const [path, change] of Object.entries(changes)) {
    const [name = '', ...rest] = path.split('/');
    if (rest.length > 0) below.set(name, { ...below.get(name), [rest.join('/')]: change });
    else if (change === null) entries.delete(name);
    else entries.set(name, await writeEntry(dir, change));
  }
  for (const [name, inner] of below) {
    const known = entries.get(name);
    const oid = await writeTree(dir, known?.mode === FOLDER ? known.oid : null, inner);
    if (oid === null) return null;
    if (oid === EMPTY_TREE) entries.delete(name);
    else entries.set(name, { mode: FOLDER, oid });
  }
  const rows = [...entries]
    .map(([name, entry]) => ({ ...entry, bytes: Buffer.from(name), key: sortKey(name, entry) }))
    .toSorted((a, b) => Buffer.compare(a.key, b.key))
    .map(({ mode, oid, bytes }) =>
      Buffer.concat([Buffer.from(`${mode} `), bytes, Buffer.from([0]), Buffer.from(oid, 'hex')]),
    );
  return writeLooseObject(dir, 'tree', Buffer.concat(rows));
}

/** Git sorts folders as if their names ended with a slash. */
function sortKey(name: string, { mode }: Entry): Buffer {
  return Buffer.from(mode === FOLDER ? `${name}/` : name);
}

async function readTree(dir: string, oid: string): Promise<Map<string, Entry> | null> {
  if (oid === EMPTY_TREE) return new Map();
  const bytes = (await readLooseObject(dir, oid))?.content;
  if (bytes === undefined) return null;
  const entries = new Map<string, Entry>();
  for (let at = 0; at < bytes.length; ) {
    const blank = bytes.indexOf(' ', at);
    const end = bytes.indexOf(0, blank);
    entries.set(bytes.toString('utf8', blank + 1, end), {
      mode: bytes.toString('latin1', at, blank),
      oid: bytes.toString('hex', end + 1, end + 21),
    });
    at = end + 21;
  }
  return entries;
}

async function writeEntry(dir: string, change: Exclude<FileChange, null>): Promise<Entry> {
  const blob = (content: string | Uint8Array) => writeLooseObject(dir, 'blob', Buffer.from(content));
  if (typeof change === 'string' || change instanceof Uint8Array)
    return { mode: '100644', oid: await blob(change) };
  if ('executable' in change) return { mode: '100755', oid: await blob(change.executable) };
  if ('symlink' in change) return { mode: '120000', oid: await blob(change.symlink) };
  return { mode: '160000', oid: change.submodule };
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
