import type { FormatName } from './format-name.ts';

/** A part of a repository whose links are checked by the rules of one format. */
export interface DetectedSpace {
  /** Without leading and trailing slashes; empty for the root. */
  readonly directory: string;
  /** Null when neither the configuration nor the builder's files name it. */
  readonly title: string | null;
  readonly format: FormatName;
  /** Where it stands in the site that the builder's files describe; absent where they describe none. */
  readonly position?: number;
  readonly role: SpaceRole;
  /** False for undeclared parts of a repository that declares its spaces: only declared spaces are reported. */
  readonly isChecked: boolean;
}

/**
 * `space` is documentation of the repository. `aside` is a builder's site that is not: one among tests and examples, or
 * one that `docloom.yml` does not declare; its links are checked by its builder's rules. `rest` is every file that is in
 * no other part, checked as the repository's host shows it.
 */
export type SpaceRole = 'space' | 'aside' | 'rest';

/** Spaces as `docloom.yml` declares them. */
export interface DeclaredSpace {
  readonly directory: string;
  /** Null to use the folder's name, or the repository's for its root. */
  readonly title: string | null;
  /** Absent to detect it from the files. */
  readonly format?: FormatName;
}

/** Returns the parts that are documentation of the repository. */
export function spacesAmong<Part extends Pick<DetectedSpace, 'role'>>(
  parts: readonly Part[],
): readonly Part[] {
  return parts.filter((part) => part.role === 'space');
}

/** Returns the parts whose broken links are reported. */
export function checkedAmong<Part extends Pick<DetectedSpace, 'isChecked'>>(
  parts: readonly Part[],
): readonly Part[] {
  return parts.filter((part) => part.isChecked);
}

/** Returns the folders of all other parts but `rest`, which a part must leave out. */
export function siblingsOf<Part extends Pick<DetectedSpace, 'directory' | 'role'>>(
  part: Part,
  parts: readonly Part[],
): readonly string[] {
  return parts
    .filter((candidate) => candidate !== part && candidate.role !== 'rest')
    .map(({ directory }) => directory);
}
