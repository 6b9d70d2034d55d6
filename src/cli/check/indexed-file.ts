/** A file as git's index knows it. */
export interface IndexedFile {
  readonly oid: string;
  readonly isSubmodule: boolean;
  readonly isSymlink: boolean;
  /** Tracked, but not on disk if the checkout is sparse or broke off. */
  readonly leftOut: boolean;
  /** The state of the file when its oid was computed; null when it was not requested. Times in milliseconds since 1970. */
  readonly stamp: {
    readonly size: number;
    readonly mtimeMs: number;
    readonly ctimeMs: number;
    readonly indexedMs: number;
  } | null;
}
