/** The port of the git room: what other rooms can do with a repository. Two adapters implement it: the `git` program and isomorphic-git. */

/** Where to fetch from or push to. `url` never contains credentials; they travel beside it, and never reach argv, logs or errors. */
export interface GitRemote {
  readonly url: string;
  readonly credentials?: GitCredentials;
}

export interface GitCredentials {
  readonly username: string;
  readonly password: string;
}

export interface GitCommit {
  readonly oid: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly author: GitPerson;
  readonly committer: GitPerson;
}

/** `at` is the time on the author's machine and may be wrong. */
export interface GitPerson {
  readonly name: string;
  readonly email: string;
  readonly at: Date;
}

/** One entry of a whole tree; folders are left out. Paths are relative to the repository's root. */
export interface GitTreeEntry {
  readonly path: string;
  readonly oid: string;
  readonly mode: 'file' | 'executable' | 'symlink' | 'submodule';
  /** In bytes, where the adapter knows it without reading the blob. */
  readonly size?: number;
}

export interface GitBlob {
  readonly oid: string;
  readonly bytes: Uint8Array;
}

export interface FetchOptions {
  readonly signal?: AbortSignal;
}

export interface ReadBlobsOptions extends FetchOptions {
  /**
   * The commit that contains the blobs. When they are too much for one fetch, it is used to find out which of them
   * are too large each, so that the rest can be read.
   */
  readonly commit?: string;
  /** Called for each blob left out because it is above the limit. */
  readonly onTooLarge?: (oid: string) => void;
}

/** An entry that `readTree` leaves out, because its name cannot be part of a path. */
export interface SkippedEntry {
  /** For people: bytes that are not UTF-8 show as U+FFFD. */
  readonly path: string;
  readonly oid: string;
  /** A clause that ends a sentence: "… was left out: its name is not UTF-8". */
  readonly reason: string;
}

export interface ReadTreeOptions {
  /** Called for each entry left out: names that are not UTF-8, empty, `.`, `..`, `.git`, with a slash, or duplicate. */
  readonly onSkipped?: (skipped: SkippedEntry) => void;
}

/** A repository in the local cache. Several may be used at once; concurrent calls on the same one are safe. */
export interface GitRepository {
  /** Fetches the tip of a full ref name (`refs/heads/main`, `refs/pull/7/head`, or `HEAD`) and returns its commit oid. */
  fetchRef(remote: GitRemote, ref: string, options?: FetchOptions): Promise<string>;
  /** Makes sure that a commit and its tree are here; fetches this very oid from the remote when they are not. */
  fetchCommit(remote: GitRemote, oid: string, options?: FetchOptions): Promise<void>;
  readCommit(oid: string): Promise<GitCommit>;
  /**
   * The whole tree of a commit, sorted by path in byte order. Paths are byte for byte those of the repository and
   * untrusted: symlinks are not followed, and names may differ in case only.
   *
   * @throws GitError `too-large` above 500,000 entries
   */
  readTree(commitOid: string, options?: ReadTreeOptions): Promise<readonly GitTreeEntry[]>;
  /**
   * The oid of the tree below `directory` ('' for the root, no slashes at the ends), or null when the commit has no
   * such folder. Equal oids mean that nothing below it differs.
   */
  readTreeOid(commitOid: string, directory: string): Promise<string | null>;
  /**
   * Reads blobs in the order of `oids`; blobs that a partial fetch left out are fetched from `remote` first, all at
   * once. A blob above the cache's `maxBlobBytes` is left out, and never fetched where the host can leave it out too.
   *
   * @throws GitError `too-large` when the blobs together are more than one fetch may bring
   */
  readBlobs(oids: readonly string[], remote: GitRemote, options?: ReadBlobsOptions): AsyncIterable<GitBlob>;
  /**
   * When the files below `directory` were last changed by one of the commits that lead to a commit. Of a long history only
   * the latest commits are fetched, without blobs: for a file that none of them changed, see `oldest`. Null where the
   * history cannot be had at a reasonable cost.
   */
  readLastChanges(
    remote: GitRemote,
    commitOid: string,
    options: FetchOptions & { readonly directory: string },
  ): Promise<LastChanges | null>;
  /**
   * Builds a commit in memory. Files that no change names stay byte for byte as in the parent. The same draft always
   * yields the same commit.
   */
  buildCommit(draft: CommitDraft): Promise<NewCommit>;
  /**
   * Pushes a commit to a branch that points to `expected`, or is absent when that is null. Never forces: `expected` is
   * the commit's parent, or the branch is new. When the branch already points to the commit, nothing is sent.
   *
   * @throws GitError `ref-moved` when it points elsewhere, `push-refused` with the host's message
   */
  push(
    remote: GitRemote,
    ref: string,
    commit: NewCommit,
    options?: FetchOptions & { readonly expected?: string | null },
  ): Promise<void>;
}

/** When commits last changed files. */
export interface LastChanges {
  readonly byPath: ReadonlyMap<string, Date>;
  /** The time of the oldest commit that was looked at: other files were changed then at the latest. */
  readonly oldest: Date;
}

/** One file of a new commit. */
export interface GitFileChange {
  readonly path: string;
  /** Null deletes the file. */
  readonly file: {
    readonly oid: string;
    readonly mode: GitTreeEntry['mode'];
    /** Null when the remote has the bytes already, as for a file that only moved. */
    readonly bytes: Uint8Array | null;
  } | null;
}

export interface CommitDraft {
  /** Null for the first commit of a branch. */
  readonly parent: string | null;
  readonly changes: readonly GitFileChange[];
  readonly message: string;
  readonly author: GitPerson;
  readonly committer: GitPerson;
}

/** A commit that has not been pushed yet, with the objects that a repository with its parent lacks. */
export interface NewCommit {
  readonly oid: string;
  readonly tree: string;
  /** The parent's tree: equal to `tree` when the commit would change nothing. */
  readonly baseTree: string | null;
  readonly parent: string | null;
  readonly objects: readonly {
    readonly oid: string;
    readonly type: 'commit' | 'tree' | 'blob' | 'tag';
    readonly bytes: Buffer;
  }[];
}

/** A repository with the folder that it is stored in. */
export interface CachedRepository extends GitRepository {
  readonly directory: string;
}

export interface RepositoryCache {
  /** The repository stored under `cacheId` (any string; it is hashed for the folder's name), created if absent. */
  repository(cacheId: string): Promise<GitRepository>;
}

export type GitErrorCode =
  | 'ref-not-found'
  | 'commit-not-found'
  | 'host-unreachable'
  | 'auth-required'
  | 'address-refused'
  | 'not-a-repository'
  | 'invalid-url'
  | 'timeout'
  | 'ref-moved'
  | 'push-refused'
  | 'too-large'
  | 'git-failed';

/** An error with a message for people: what is wrong, where, what to do. Never contains credentials. */
export class GitError extends Error {
  override readonly name = 'GitError';
  readonly code: GitErrorCode;
  /** Whether the same call may succeed later without anyone doing anything. */
  readonly retryable: boolean;

  constructor(code: GitErrorCode, message: string, options?: { retryable?: boolean; cause?: unknown }) {
    super(message, { cause: options?.cause });
    this.code = code;
    this.retryable = options?.retryable ?? (code === 'host-unreachable' || code === 'timeout');
  }
}

/** The address to connect to, after the guard looked the host up and allowed it. */
export interface RemoteAddress {
  readonly address: string;
  readonly family: 4 | 6;
  /** The proxy through which it is reached; absent for a direct connection. */
  readonly proxy?: string;
}

/**
 * Refuses addresses that a caller may not reach (private networks, foreign schemes) with a message for people.
 * An error whose `reason` is `unresolved` means that the name was not found, which may be temporary.
 */
export type RemoteGuard = (url: URL) => Promise<RemoteAddress>;
