import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import git from 'isomorphic-git';
import { writeAdvertisement } from '../advertisement.ts';
import type { CacheSettings } from '../cache-settings.ts';
import { withDeadline } from '../deadline.ts';
import { checkOid, checkRefName } from '../names.ts';
import { hasCommit, parseCommit, readObject } from '../objects.ts';
import { readAdvertisement } from '../read-advertisement.ts';
import { commitNotFound, refNotFound } from '../remote-errors.ts';
import { converse, type RemoteHttp } from '../remote-http.ts';
import {
  type CachedRepository,
  type CommitDraft,
  type FetchOptions,
  type GitBlob,
  type GitCommit,
  GitError,
  type GitRemote,
  type GitTreeEntry,
  type NewCommit,
  type ReadBlobsOptions,
  type ReadTreeOptions,
} from '../repository.ts';
import { withRepositoryFolder } from '../repository-folder.ts';
import { WalkMemory } from '../walk-memory.ts';
import { findTree, walkTree } from '../walk-tree.ts';
import { buildCommit } from '../write/build-commit.ts';
import { pushCommit } from '../write/push-commit.ts';
import { httpPlugin } from './http-plugin.ts';
import { numberPacks } from './pack-file-systems.ts';
import { PackedObjects } from './packed-objects.ts';

const remoteName = 'docloom';
/** The ref of the commit that was fetched last, of any branch: new branches mostly start near it. */
const lastRef = 'refs/docloom/last';

/** Opens repositories of a cache folder by name and creates those that do not exist. */
export function openIsomorphicRepository(
  directory: string,
  settings: CacheSettings,
): (name: string) => Promise<CachedRepository> {
  const walks = new WalkMemory();
  return async (name) => {
    // A separate name: neither adapter needs to understand the files of the other. Nor is it the name of caches of old, whose
    // packs are not numbered.
    const gitdir = join(directory, `${name}.packs.git`);
    await create(gitdir);
    return new IsomorphicRepository(gitdir, settings, walks);
  };
}

/** Makes a repository that does not exist. */
async function create(gitdir: string): Promise<void> {
  await git.init({ fs, gitdir, bare: true, defaultBranch: 'main' });
  // isomorphic-git requires a refspec for the fetched refs; it stores none, because this module writes the refs itself.
  const unusedRefspec = '+refs/docloom/none:refs/docloom/none';
  await git.setConfig({ fs, gitdir, path: `remote.${remoteName}.fetch`, value: unusedRefspec });
}

/** A cached repository managed by isomorphic-git: shallow, with all blobs of the commits in it. */
class IsomorphicRepository implements CachedRepository {
  readonly #gitdir: string;
  readonly #settings: CacheSettings;
  readonly #walks: WalkMemory;

  constructor(gitdir: string, settings: CacheSettings, walks: WalkMemory) {
    this.#walks = walks;
    this.#gitdir = gitdir;
    this.#settings = settings;
  }

  get directory(): string {
    return this.#gitdir;
  }

  async fetchRef(remote: GitRemote, ref: string, { signal }: FetchOptions = {}): Promise<string> {
    checkRefName(ref);
    return this.#connected(remote, signal, async (http) => {
      const { refs, capabilities } = await readAdvertisement(http, 'git-upload-pack');
      const oid = refs.get(`${ref}^{}`) ?? refs.get(ref);
      if (oid === undefined) throw refNotFound(remote, ref);
      if (!(await this.#hasCommit(oid))) await this.#fetch(http, capabilities, remote, oid, slot(ref));
      await this.#storeTip(oid, slot(ref));
      return oid;
    });
  }

  async fetchCommit(remote: GitRemote, oid: string, { signal }: FetchOptions = {}): Promise<void> {
    checkOid(oid);
    if (await this.#hasCommit(oid)) return;
    await this.#connected(remote, signal, async (http) => {
      const { refs, capabilities } = await readAdvertisement(http, 'git-upload-pack');
      if (refs.size === 0) throw commitNotFound(remote, oid);
      await this.#fetch(http, capabilities, remote, oid, lastRef);
    });
  }

  async readCommit(oid: string): Promise<GitCommit> {
    checkOid(oid);
    return parseCommit(await readObject(new PackedObjects(this.#gitdir), oid));
  }

  async readTree(commitOid: string, options?: ReadTreeOptions): Promise<readonly GitTreeEntry[]> {
    const reader = new PackedObjects(this.#gitdir);
    const { tree } = await this.readCommit(commitOid);
    const { entries, walk } = await walkTree(reader, tree, options, this.#walks.get(this.#gitdir));
    this.#walks.store(this.#gitdir, walk);
    return entries;
  }

  async readTreeOid(commitOid: string, directory: string): Promise<string | null> {
    const reader = new PackedObjects(this.#gitdir);
    const { tree } = await this.readCommit(commitOid);
    return findTree(reader, tree, directory);
  }

  /** It fetches blobs with commits, and each history from its beginning. */
  async readLastChanges(): Promise<null> {
    return null;
  }

  async buildCommit(draft: CommitDraft): Promise<NewCommit> {
    return buildCommit(new PackedObjects(this.#gitdir), draft);
  }

  async push(
    remote: GitRemote,
    ref: string,
    commit: NewCommit,
    { signal, expected = commit.parent }: FetchOptions & { readonly expected?: string | null } = {},
  ): Promise<void> {
    await pushCommit(this.#settings, { remote, ref, commit, expected }, signal);
  }

  async *readBlobs(
    oids: readonly string[],
    remote: GitRemote,
    { signal, commit, onTooLarge }: ReadBlobsOptions = {},
  ): AsyncIterable<GitBlob> {
    for (const oid of oids) checkOid(oid);
    const { maxBlobBytes } = this.#settings;
    const reader = new PackedObjects(this.#gitdir);
    let ofCommit: ReadonlySet<string> | undefined;
    let at = 0;
    for await (const object of reader.read(oids)) {
      signal?.throwIfAborted();
      const oid = oids[at++] ?? '';
      if (object && object.bytes.length <= maxBlobBytes) {
        yield { oid, bytes: object.bytes };
        continue;
      }
      if (!object) {
        ofCommit ??= new Set(
          commit === undefined ? [] : (await this.readTree(commit)).map((entry) => entry.oid),
        );
        // A fetch leaves out only those objects of a commit that are too large.
        if (!ofCommit.has(oid)) throw commitNotFound(remote, oid);
      }
      onTooLarge?.(oid);
    }
  }

  async #fetch(
    http: RemoteHttp,
    capabilities: string,
    remote: GitRemote,
    oid: string,
    have: string,
  ): Promise<void> {
    const started = performance.now();
    const canFilter = capabilities.split(' ').includes('filter');
    const options = { maxBlobBytes: canFilter ? this.#settings.maxBlobBytes : null };
    try {
      await git.fetch({
        fs: numberPacks(this.#gitdir),
        gitdir: this.#gitdir,
        http: httpPlugin(http, writeAdvertisement(oid, capabilities), options),
        url: http.base,
        remote: remoteName,
        remoteRef: oid,
        ref: (await this.#resolve(have)) === null ? lastRef : have,
        singleBranch: true,
        depth: 1,
        tags: false,
      });
    } catch (error) {
      if (error instanceof GitError) throw error;
      throw new GitError('git-failed', `The response of ${remote.url} for ${oid} cannot be read as a pack.`, {
        cause: error,
      });
    }
    if (!(await this.#hasCommit(oid))) throw commitNotFound(remote, oid);
    this.#settings.log?.('git fetch', {
      url: http.base,
      wanted: oid,
      ms: Math.round(performance.now() - started),
    });
  }

  async #storeTip(oid: string, ref: string): Promise<void> {
    for (const name of [ref, lastRef]) {
      await git.writeRef({ fs, gitdir: this.#gitdir, ref: name, value: oid, force: true });
    }
  }

  async #resolve(ref: string): Promise<string | null> {
    return git.resolveRef({ fs, gitdir: this.#gitdir, ref }).catch(() => null);
  }

  #hasCommit(oid: string): Promise<boolean> {
    return hasCommit(new PackedObjects(this.#gitdir), oid);
  }

  /** Connects to the remote under the time limit, with the repository locked. */
  #connected<T>(
    remote: GitRemote,
    signal: AbortSignal | undefined,
    run: (http: RemoteHttp) => Promise<T>,
  ): Promise<T> {
    const { guard, maxPackBytes, timeoutMs } = this.#settings;
    const folder = { folder: this.#gitdir, create: () => create(this.#gitdir) };
    return withDeadline(remote, timeoutMs, signal, (active) =>
      withRepositoryFolder(folder, active, () =>
        converse({ guard, remote, signal: active, maxBytes: maxPackBytes }, run),
      ),
    );
  }
}

/** One of 256 slots for a ref's tip, so that a repository with many pull requests does not accumulate refs. */
function slot(ref: string): string {
  return `refs/docloom/${createHash('sha256').update(ref).digest('hex').slice(0, 2)}`;
}
