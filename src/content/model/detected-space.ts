import type { FormatName } from './format-name.ts';

/** One part of a repository whose links are judged in one way. */
export interface DetectedSpace {
  /** Without slashes at the ends; empty for the root. */
  readonly directory: string;
  /** Null when neither the configuration nor the builder's files name it. */
  readonly title: string | null;
  readonly format: FormatName;
  readonly role: SpaceRole;
  /** False beside declared spaces: whoever declares spaces wants to hear of those alone. */
  readonly isChecked: boolean;
}

/**
 * `space` is documentation of the repository. `aside` is a builder's site that is not: one among tests and examples, or
 * one that `docloom.yml` does not declare; its links follow its builder's rules. `rest` is every file that no other
 * part holds, as the repository's host shows it.
 */
export type SpaceRole = 'space' | 'aside' | 'rest';

/** Spaces as `docloom.yml` declares them. */
export interface DeclaredSpace {
  readonly directory: string;
  /** Null to take the folder's name, or the repository's for its root. */
  readonly title: string | null;
  /** Left out to take what the files show. */
  readonly format?: FormatName;
}

/** Those that are documentation of the repository. */
export function spacesAmong<Part extends Pick<DetectedSpace, 'role'>>(
  parts: readonly Part[],
): readonly Part[] {
  return parts.filter((one) => one.role === 'space');
}

/** Those whose broken links people want to hear of. */
export function checkedAmong<Part extends Pick<DetectedSpace, 'isChecked'>>(
  parts: readonly Part[],
): readonly Part[] {
  return parts.filter((one) => one.isChecked);
}

/** The folders that a part leaves to others. */
export function siblingsOf<Part extends Pick<DetectedSpace, 'directory' | 'role'>>(
  part: Part,
  parts: readonly Part[],
): readonly string[] {
  return parts.filter((one) => one !== part && one.role !== 'rest').map((one) => one.directory);
}
