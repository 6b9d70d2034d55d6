import type { FileProblem } from './file-facts.ts';
import type { FormatName } from './format-name.ts';
import type { Link } from './link.ts';
import type { Asset, Page, SpaceSettings } from './page.ts';
import type { RepoPath } from './tree-entry.ts';

/** Everything derived from one tree for one space. */
export interface SpaceAnalysis {
  /** The space's directory below the repository's root, without slashes at the ends; empty for the root. */
  readonly directory: string;
  readonly format: FormatName;
  /** The navigation, nested. */
  readonly pages: readonly Page[];
  readonly assets: readonly Asset[];
  readonly settings: SpaceSettings;
  /** Every reference of every page, by file and place. */
  readonly links: readonly Link[];
  /** The files whose references were judged. */
  readonly files: readonly RepoPath[];
  /** How each of them is written, for whoever shows it: the key of its reading, empty for plain Markdown. */
  readonly dialects: Readonly<Record<RepoPath, string>>;
  readonly problems: readonly FileProblem[];
}
