import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withDeadline } from '../deadline.ts';
import { withFolderLock } from '../folder-lock.ts';
import { checkOid, checkRefName } from '../names.ts';
import { hasCommit, isCommit, parseCommit, readObject } from '../objects.ts';
import { commitNotFound } from '../remote-errors.ts';
import {
  type CachedRepository,
  type CommitDraft,
  type FetchOptions,
  type GitBlob,
  type GitCommit,
  GitError,
  type GitRemote,
  type GitTreeEntry,
  type LastChanges,
  type NewCommit,
  type ReadBlobsOptions,
  type ReadTreeOptions,
} from '../repository.ts';
import { withRepositoryFolder } from '../repository-folder.ts';
import type { WalkMemory } from '../walk-memory.ts';
import { findTree, walkTree } from '../walk-tree.ts';
import { buildCommit } from '../write/build-commit.ts';
import { pushCommit } from '../write/push-commit.ts';
import { localEnvironment, readEnvironment, remoteName } from './environment.ts';
import { runGitProgram } from './git-process.ts';
import { readLocalChanges } from './last-changes.ts';
import type { ObjectSession } from './object-session.ts';
import { type FetchContext, fetchFromRemote } from './remote-fetch.ts';
import { repackRepository } from './repack-repository.ts';
import type { SessionPool } from './session-pool.ts';
import { readTooLarge, recordTooLarge } from './too-large.ts';

/** The largest number of objects in one fetch; a request of 2 MB. */
const wantsPerFetch = 40_000;

/** How far back `readLastChanges` looks, and what it may cost. */
const HISTORY_COMMITS = 500;
const MAX_HISTORY_BYTES = 64 * 1024 * 1024;
const MAX_HISTORY_MS = 20_000;

export interface ProgramRepositoryOptions extends FetchContext {
  /** Makes the repository's folder if it does not exist. */
  readonly create: () => Promise<void>;
  /** The empty repository that objects are read through. */
  readonly readerDir: string;
  readonly sessions: SessionPool;
  readonly walks: WalkMemory;
}

/** A cached repository managed by the git program: shallow, and without the blobs above a size until they are requested. */
export class ProgramRepository implements CachedRepository {
  readonly #options: ProgramRepositoryOptions;
  readonly #readEnv: Record<string, string>;

  constructor(options: ProgramRepositoryOptions) {
    this.#options = options;
    this.#readEnv = readEnvironment(options.readerDir, join(options.gitDir, 'objects'));
  }

  get directory(): string {
    return this.#options.gitDir;
  }

  async fetchRef(remote: GitRemote, ref: string, { signal }: FetchOptions = {}): Promise<string> {
    checkRefName(ref);
    const slot = privateRef(ref);
    return this.#locked(remote, signal, async (active) => {
      const args = [...this.#shallow(), remoteName, `+${ref}:${slot}`];
      await fetchFromRemote(this.#options, { remote, wanted: ref, args }, active);
      return this.#resolve(slot, active);
    });
  }

  async fetchCommit(remote: GitRemote, oid: string, { signal }: FetchOptions = {}): Promise<void> {
    checkOid(oid);
    if (await this.#hasCommit(oid)) return;
    const args = [...this.#shallow(), remoteName, oid];
    await this.#locked(remote, signal, (active) =>
      fetchFromRemote(this.#options, { remote, wanted: oid, args }, active),
    );
    if (!(await this.#hasCommit(oid))) throw commitNotFound(remote, oid);
  }

  async readCommit(oid: string): Promise<GitCommit> {
    checkOid(oid);
    return this.#reading(async (reader) => parseCommit(await readObject(reader, oid)));
  }

  async readTree(commitOid: string, options?: ReadTreeOptions): Promise<readonly GitTreeEntry[]> {
    checkOid(commitOid);
    const { gitDir, walks } = this.#options;
    const { entries, walk } = await this.#reading(async (reader) => {
      const { tree } = parseCommit(await readObject(reader, commitOid));
      return walkTree(reader, tree, options, walks.get(gitDir));
    });
    walks.store(gitDir, walk);
    return entries;
  }

  async readTreeOid(commitOid: string, directory: string): Promise<string | null> {
    checkOid(commitOid);
    return this.#reading(async (reader) => {
      const { tree } = parseCommit(await readObject(reader, commitOid));
      return findTree(reader, tree, directory);
    });
  }

  async readLastChanges(
    remote: GitRemote,
    commitOid: string,
    { signal, directory }: FetchOptions & { readonly directory: string },
  ): Promise<LastChanges | null> {
    checkOid(commitOid);
    const { gitPath, gitDir } = this.#options;
    const limits = {
      ...this.#options,
      maxPackBytes: Math.min(this.#options.maxPackBytes, MAX_HISTORY_BYTES),
      timeoutMs: Math.min(this.#options.timeoutMs, MAX_HISTORY_MS),
    };
    return await withDeadline(remote, limits.timeoutMs, signal, (active) =>
      withFolderLock(gitDir, active, async () => {
        const args = [`--depth=${HISTORY_COMMITS}`, '--filter=blob:none', remoteName, commitOid];
        await fetchFromRemote(limits, { remote, wanted: commitOid, args }, active);
        return await readLocalChanges({ gitPath, gitDir, commitOid, directory, signal: active });
      }),
    );
  }

  async buildCommit(draft: CommitDraft): Promise<NewCommit> {
    return this.#reading((reader) => buildCommit(reader, draft));
  }

  async push(
    remote: GitRemote,
    ref: string,
    commit: NewCommit,
    { signal, expected = commit.parent }: FetchOptions & { readonly expected?: string | null } = {},
  ): Promise<void> {
    await pushCommit(this.#options, { remote, ref, commit, expected }, signal);
  }

  async *readBlobs(
    oids: readonly string[],
    remote: GitRemote,
    options: ReadBlobsOptions = {},
  ): AsyncIterable<GitBlob> {
    for (const oid of oids) checkOid(oid);
    const { signal, onTooLarge } = options;
    const tooLarge = await this.#fetchMissing(oids, remote, options);
    for (const oid of tooLarge) onTooLarge?.(oid);
    const readable = tooLarge.size === 0 ? oids : oids.filter((oid) => !tooLarge.has(oid));
    const { gitDir, sessions } = this.#options;
    const session = sessions.acquire(gitDir, this.#readEnv);
    try {
      let at = 0;
      for await (const object of session.read(readable)) {
        signal?.throwIfAborted();
        const oid = readable[at++] ?? '';
        if (!object) throw commitNotFound(remote, oid);
        yield { oid, bytes: object.bytes };
      }
    } finally {
      sessions.release(gitDir, session);
    }
  }

  /** Fetches the absent blobs, and returns those that are too large to be read. */
  async #fetchMissing(
    oids: readonly string[],
    remote: GitRemote,
    { signal, commit }: ReadBlobsOptions,
  ): Promise<ReadonlySet<string>> {
    const { gitDir, maxBlobBytes } = this.#options;
    const inspect = async () => {
      const recorded = await readTooLarge(gitDir);
      const here = await this.#reading((session) => session.sizes(oids));
      const tooLarge = new Set(
        oids.filter((oid) => (here.get(oid) ?? 0) > maxBlobBytes || (!here.has(oid) && recorded.has(oid))),
      );
      return { tooLarge, missing: [...new Set(oids)].filter((oid) => !here.has(oid) && !recorded.has(oid)) };
    };
    const first = await inspect();
    if (first.missing.length === 0) return first.tooLarge;
    await this.#locked(remote, signal, async (active) => {
      // Checked again: whoever had the lock before may have fetched the same blobs.
      const { missing } = await inspect();
      try {
        await this.#fetchBlobs(missing, remote, active);
      } catch (error) {
        const isTooMuch = error instanceof GitError && error.code === 'too-large';
        if (!isTooMuch || commit === undefined) throw error;
        await this.#fetchSmaller(commit, remote, active);
        const { missing: remaining } = await inspect();
        const inCommit = new Set((await this.readTree(commit)).map((entry) => entry.oid));
        await recordTooLarge(
          gitDir,
          remaining.filter((oid) => inCommit.has(oid)),
        );
        await this.#fetchBlobs(
          remaining.filter((oid) => !inCommit.has(oid)),
          remote,
          active,
        );
      }
    });
    return (await inspect()).tooLarge;
  }

  async #fetchBlobs(oids: readonly string[], remote: GitRemote, signal: AbortSignal): Promise<void> {
    for (let at = 0; at < oids.length; at += wantsPerFetch) {
      const wants = oids.slice(at, at + wantsPerFetch);
      // Named objects are sent whatever the filter says; it only marks their pack as incomplete.
      const job = {
        remote,
        wanted: wants[0] ?? '',
        args: ['--filter=blob:none', '--stdin', remoteName],
        input: `${wants.join('\n')}\n`,
        // No negotiation about what is here already: only single blobs are requested, not what leads to them.
        config: { 'fetch.negotiationAlgorithm': 'noop' },
      };
      await fetchFromRemote(this.#options, job, signal);
    }
  }

  /**
   * Fetches a commit once more, now with all blobs up to the limit. A host reports no sizes, and sends a named blob
   * however large it is; a filtered fetch leaves the largest ones out.
   */
  async #fetchSmaller(commit: string, remote: GitRemote, signal: AbortSignal): Promise<void> {
    // Git leaves out blobs of exactly that size, too.
    const filter = `--filter=blob:limit=${this.#options.maxBlobBytes + 1}`;
    const args = ['--refetch', '--depth=1', filter, remoteName, commit];
    await fetchFromRemote(this.#options, { remote, wanted: commit, args }, signal);
  }

  /** Runs under the time limit, with the repository locked. */
  #locked<T>(
    remote: GitRemote,
    signal: AbortSignal | undefined,
    run: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { gitDir: folder, create, timeoutMs } = this.#options;
    return withDeadline(remote, timeoutMs, signal, (active) =>
      withRepositoryFolder({ folder, create }, active, async () => {
        await repackRepository(this.#options, active);
        return run(active);
      }),
    );
  }

  #shallow(): string[] {
    return ['--depth=1', `--filter=blob:limit=${this.#options.blobLimitBytes}`];
  }

  /** The commit that one of our refs leads to. */
  async #resolve(ref: string, signal: AbortSignal): Promise<string> {
    const { gitDir } = this.#options;
    // Most are loose files with the oid of a commit; git resolves the rest.
    const oid = (await readFile(join(gitDir, ref), 'latin1').catch(() => '')).trim();
    if (oid !== '' && (await this.#reading((session) => isCommit(session, oid)))) return oid;
    return this.#revParseCommit(ref, signal);
  }

  async #revParseCommit(ref: string, signal: AbortSignal): Promise<string> {
    const { gitPath, gitDir } = this.#options;
    const { stdout, stderr } = await runGitProgram({
      gitPath,
      args: ['rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`],
      env: localEnvironment(gitDir),
      signal,
    });
    const oid = stdout.trim();
    if (oid === '') throw new Error(`git rev-parse did not find the ref just fetched: ${stderr}`);
    return oid;
  }

  async #hasCommit(oid: string): Promise<boolean> {
    return this.#reading((reader) => hasCommit(reader, oid));
  }

  async #reading<T>(run: (session: ObjectSession) => Promise<T>): Promise<T> {
    const { gitDir, sessions } = this.#options;
    const session = sessions.acquire(gitDir, this.#readEnv);
    try {
      return await run(session);
    } finally {
      sessions.release(gitDir, session);
    }
  }
}

/**
 * The ref that stores the tip of a fetched ref, so that the next fetch can report what is already here. One of 256:
 * names cannot collide as paths (`a` and `a/b`), and a repository with many pull requests does not accumulate refs.
 */
function privateRef(ref: string): string {
  return `refs/docloom/${createHash('sha256').update(ref).digest('hex').slice(0, 2)}`;
}
