import type { FileProblem } from './file-facts.ts';
import type { FormatName } from './format-name.ts';
import type { Link } from './link.ts';
import type { Asset, Page, SpaceSettings } from './page.ts';
import type { RepoPath } from './tree-entry.ts';

/** Everything derived from one tree for one space. */
export interface SpaceAnalysis {
  /** The space's directory, without leading and trailing slashes; empty for the repository's root. */
  readonly directory: string;
  readonly format: FormatName;
  /** The navigation, nested. */
  readonly pages: readonly Page[];
  readonly assets: readonly Asset[];
  readonly settings: SpaceSettings;
  /** Every reference of every page, ordered by file and position. */
  readonly links: readonly Link[];
  /** The files whose references were checked. */
  readonly files: readonly RepoPath[];
  /** The dialect in which each of `files` is rendered: the key of its reading, empty for plain Markdown. */
  readonly dialects: Readonly<Record<RepoPath, string>>;
  readonly problems: readonly FileProblem[];
  /** What is not shown to readers as the builder shows it, for those who publish. */
  readonly notices: readonly FileProblem[];
}
