import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { allowAddress } from '../allow-address.ts';
import type { CacheSettings } from '../cache-settings.ts';
import { withDeadline } from '../deadline.ts';
import { withFolderLock } from '../folder-lock.ts';
import { checkOid, checkRefName } from '../names.ts';
import { hasCommit, parseCommit, readOne } from '../objects.ts';
import { commitNotFound } from '../remote-faults.ts';
import { locate } from '../remote-http.ts';
import type {
  FetchOptions,
  GitBlob,
  GitCommit,
  GitRemote,
  GitRepository,
  GitTreeEntry,
  ReadTreeOptions,
} from '../repository.ts';
import { findTree, walkTree } from '../walk-tree.ts';
import { CatFile } from './cat-file.ts';
import { fetchEnvironment, localEnvironment, readEnvironment, remoteName } from './environment.ts';
import { type FailedFetch, knownFailure, unknownFailure } from './fetch-failure.ts';
import { runGit } from './git-process.ts';
import { keepSmall } from './keep-small.ts';
import { statObjects } from './stat-objects.ts';

/** Objects named in one fetch at most; a request of 2 MB. */
const wantsPerFetch = 40_000;

export interface ProgramRepositoryOptions extends CacheSettings {
  readonly gitPath: string;
  /** The bare repository. */
  readonly gitDir: string;
  /** The empty repository that reading goes through. */
  readonly readerDir: string;
  /** Where repositories went that redirect: address as given to address in use. Shared by a whole cache. */
  readonly moved: Map<string, string>;
}

/** A cached repository kept by the git program: shallow, and without the blobs above a size until someone asks. */
export class ProgramRepository implements GitRepository {
  readonly #options: ProgramRepositoryOptions;
  readonly #readEnv: Record<string, string>;

  constructor(options: ProgramRepositoryOptions) {
    this.#options = options;
    this.#readEnv = readEnvironment(options.readerDir, join(options.gitDir, 'objects'));
  }

  async fetchRef(remote: GitRemote, ref: string, { signal }: FetchOptions = {}): Promise<string> {
    checkRefName(ref);
    const slot = privateRef(ref);
    return this.#locked(remote, signal, async (active) => {
      await this.#fetch(remote, ref, [...this.#shallow(), remoteName, `+${ref}:${slot}`], '', active);
      return this.#resolve(slot, active);
    });
  }

  async fetchCommit(remote: GitRemote, oid: string, { signal }: FetchOptions = {}): Promise<void> {
    checkOid(oid);
    if (await this.#hasCommit(oid)) return;
    await this.#locked(remote, signal, async (active) => {
      await this.#fetch(remote, oid, [...this.#shallow(), remoteName, oid], '', active);
    });
    if (!(await this.#hasCommit(oid))) throw commitNotFound(remote, oid);
  }

  async readCommit(oid: string): Promise<GitCommit> {
    checkOid(oid);
    return this.#reading(async (reader) => parseCommit(await readOne(reader, oid)));
  }

  async readTree(commitOid: string, options?: ReadTreeOptions): Promise<readonly GitTreeEntry[]> {
    checkOid(commitOid);
    const entries = await this.#reading(async (reader) => {
      const { tree } = parseCommit(await readOne(reader, commitOid));
      return walkTree(reader, tree, options);
    });
    const sizes = await statObjects(
      this.#read(),
      entries.flatMap(({ oid, mode }) => (mode === 'submodule' ? [] : [oid])),
    );
    return entries.map((entry) => {
      const size = sizes.get(entry.oid);
      return size === undefined ? entry : { ...entry, size };
    });
  }

  async readTreeOid(commitOid: string, directory: string): Promise<string | null> {
    checkOid(commitOid);
    return this.#reading(async (reader) => {
      const { tree } = parseCommit(await readOne(reader, commitOid));
      return findTree(reader, tree, directory);
    });
  }

  async *readBlobs(
    oids: readonly string[],
    remote: GitRemote,
    { signal }: FetchOptions = {},
  ): AsyncIterable<GitBlob> {
    for (const oid of oids) checkOid(oid);
    await this.#fetchMissing(oids, remote, signal);
    const reader = new CatFile(this.#read());
    try {
      let at = 0;
      for await (const object of reader.read(oids)) {
        signal?.throwIfAborted();
        const oid = oids[at++] ?? '';
        if (!object) throw commitNotFound(remote, oid);
        yield { oid, bytes: object.bytes };
      }
    } finally {
      reader.close();
    }
  }

  async #fetchMissing(
    oids: readonly string[],
    remote: GitRemote,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const findMissing = async () => {
      const here = await statObjects(this.#read(), oids);
      return [...new Set(oids)].filter((oid) => !here.has(oid));
    };
    if ((await findMissing()).length === 0) return;
    await this.#locked(remote, signal, async (active) => {
      // Asked again: whoever held the lock before may have fetched the same.
      const missing = await findMissing();
      for (let at = 0; at < missing.length; at += wantsPerFetch) {
        const wants = missing.slice(at, at + wantsPerFetch);
        // Named objects are sent whatever the filter says; it keeps their pack marked as incomplete.
        const args = ['--filter=blob:none', '--stdin', remoteName];
        await this.#fetch(remote, wants[0] ?? '', args, `${wants.join('\n')}\n`, active, {
          'fetch.negotiationAlgorithm': 'noop',
        });
      }
    });
  }

  /** Runs under the time limit, and alone in this repository. */
  #locked<T>(
    remote: GitRemote,
    signal: AbortSignal | undefined,
    run: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { gitDir, timeoutMs } = this.#options;
    return withDeadline(remote, timeoutMs, signal, (active) =>
      withFolderLock(gitDir, active, async () => {
        await keepSmall(this.#options, active);
        return run(active);
      }),
    );
  }

  #shallow(): string[] {
    return ['--depth=1', `--filter=blob:limit=${this.#options.blobLimitBytes}`];
  }

  /** Fetches, and once more from the new address when the repository moved. */
  async #fetch(
    remote: GitRemote,
    wanted: string,
    args: readonly string[],
    input: string,
    signal: AbortSignal,
    config: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const { moved, guard, log } = this.#options;
    const base = moved.get(remote.url) ?? remote.url;
    const started = performance.now();
    const failure = await this.#fetchFrom(base, remote, wanted, args, input, signal, config);
    if (!failure) {
      log?.('git fetch', { url: base, wanted, ms: Math.round(performance.now() - started) });
      return;
    }
    const known = knownFailure(failure);
    if (known) throw known;

    const now = await locate({ guard, remote, signal, maxBytes: 1024 * 1024 });
    if (now === base) throw unknownFailure(failure);
    remember(moved, remote.url, now);
    log?.('repository moved', { url: remote.url, to: now });
    const again = await this.#fetchFrom(now, remote, wanted, args, input, signal, config);
    if (again) throw knownFailure(again) ?? unknownFailure(again);
  }

  async #fetchFrom(
    base: string,
    remote: GitRemote,
    wanted: string,
    args: readonly string[],
    input: string,
    signal: AbortSignal,
    config: Readonly<Record<string, string>>,
  ): Promise<FailedFetch | null> {
    const { gitPath, gitDir, guard, maxPackBytes } = this.#options;
    const address = await allowAddress(guard, new URL(base));
    const { code, stderr } = await runGit({
      gitPath,
      args: ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--refmap=', ...args],
      env: fetchEnvironment({ gitDir, remote, base, address, config }),
      input,
      signal,
      maxFileBytes: maxPackBytes,
    });
    return code === 0 ? null : { remote, wanted, stderr, maxPackBytes };
  }

  async #resolve(ref: string, signal: AbortSignal): Promise<string> {
    const { gitPath, gitDir } = this.#options;
    const { stdout, stderr } = await runGit({
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

  async #reading<T>(run: (reader: CatFile) => Promise<T>): Promise<T> {
    const reader = new CatFile(this.#read());
    try {
      return await run(reader);
    } finally {
      reader.close();
    }
  }

  #read(): { gitPath: string; env: Record<string, string> } {
    return { gitPath: this.#options.gitPath, env: this.#readEnv };
  }
}

/**
 * Where the tip of a ref is kept, so that the next fetch can say what is already here. One of 256 places: names
 * cannot collide as paths (`a` and `a/b`), and a repository with many pull requests does not gather refs.
 */
function privateRef(ref: string): string {
  return `refs/docloom/${createHash('sha256').update(ref).digest('hex').slice(0, 2)}`;
}

function remember(moved: Map<string, string>, from: string, to: string): void {
  if (moved.size >= 1_000) moved.clear();
  moved.set(from, to);
}
