/** A path inside the repository: `/` between segments, no leading slash, byte-exact and case-exact. */
export type RepoPath = string;

/** A git object id of 40 (SHA-1) or 64 (SHA-256) hex digits. */
export type Oid = string;

export type TreeMode = 'file' | 'executable' | 'symlink' | 'submodule';

/** One entry of a repository's whole tree, folders left out. `size` is in bytes, where known. */
export interface TreeEntry {
  readonly path: RepoPath;
  readonly oid: Oid;
  readonly mode: TreeMode;
  readonly size?: number;
}

/** A file that git sees under a new path, from the older tree to the newer. */
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

/** What one tree has otherwise than another, by path. */
export interface TreeDiff {
  /** The same path with other bytes, another mode or another size. */
  readonly changed: readonly { readonly before: TreeEntry; readonly after: TreeEntry }[];
  readonly added: readonly TreeEntry[];
  readonly removed: readonly TreeEntry[];
}
