/** A path inside the repository: `/` between segments, no leading slash, byte-exact and case-exact. */
export type RepoPath = string;

/** A git object id of 40 (SHA-1) or 64 (SHA-256) hex digits. */
export type Oid = string;

export type TreeMode = 'file' | 'executable' | 'symlink' | 'submodule';

/** One file of a repository's whole tree; folders have no entry. `size` is in bytes and absent when unknown. */
export interface TreeEntry {
  readonly path: RepoPath;
  readonly oid: Oid;
  readonly mode: TreeMode;
  readonly size?: number;
}

/** A file that has another path in the newer tree. */
export interface Rename {
  readonly from: RepoPath;
  readonly to: RepoPath;
}

/** The repository on its host, so that links to its own web address count as links into the tree. */
export interface RepositoryAddress {
  /** `owner/name`. */
  readonly fullName: string;
  /** The branch that is read, without `refs/heads/`. */
  readonly branch: string;
  /** The host of the web pages, `github.com` or an enterprise server's. */
  readonly htmlHost: string;
}

/** How a newer tree differs from an older one, by path. */
export interface TreeDiff {
  /** Entries with the same path and another oid, mode or size. */
  readonly changed: readonly { readonly before: TreeEntry; readonly after: TreeEntry }[];
  readonly added: readonly TreeEntry[];
  readonly removed: readonly TreeEntry[];
}
