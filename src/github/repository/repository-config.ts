import { type Config, declaredSpaces, defaultConfig, parseConfig } from '../../config/index.ts';
import type { IgnoreRule } from '../../content/ignore/index.ts';
import type { DeclaredSpace, FormatName } from '../../content/index.ts';
import { type FileMistake, type Octokit, type Repository, readTextFile } from '../api/index.ts';

export const CONFIG_PATH = '.github/docloom.yml';

const NO_TEXT = 'The file is not UTF-8 text.';

/** One space of a repository, declared or found. */
export interface SpaceBinding {
  /** Below the repository's root, without slashes at the ends; empty for the root. */
  readonly directory: string;
  readonly title: string;
  readonly format?: FormatName;
}

/** A configuration without a mistake. */
export interface ValidConfig {
  readonly config: Config;
  /** Null where there is no file. */
  readonly text: string | null;
  /** The declared spaces; null when they are detected from the files. */
  readonly declared: readonly DeclaredSpace[] | null;
  readonly ignore: readonly IgnoreRule[];
}

/** A repository's configuration, or what is wrong with the file (never both). */
export type RepositoryConfig = ValidConfig | { readonly problems: readonly FileMistake[] };

/** The configuration of a repository without the file. */
export const NO_CONFIG: ValidConfig = describeConfig(defaultConfig(), null);

/** Reads `.github/docloom.yml` at a commit through the API. */
export async function readRepositoryConfig(
  octokit: Octokit,
  repository: Repository,
  commitOid: string,
): Promise<RepositoryConfig> {
  const read = await readTextFile(octokit, repository, CONFIG_PATH, commitOid);
  if (read === null) return NO_CONFIG;
  if ('text' in read) return interpretConfig(read.text);
  const problems = {
    'no-file': `${CONFIG_PATH} must be a file.`,
    'too-large': `${CONFIG_PATH} is too large.`,
    'no-text': NO_TEXT,
  };
  return { problems: [{ message: problems[read.problem], line: null }] };
}

/** Reads the text of a configuration file. */
export function interpretConfig(text: string | null): RepositoryConfig {
  if (text === null) return { problems: [{ message: NO_TEXT, line: null }] };
  const parsed = parseConfig(text);
  return 'problems' in parsed ? parsed : describeConfig(parsed.config, text);
}

function describeConfig(config: Config, text: string | null): ValidConfig {
  return { config, text, declared: declaredSpaces(config), ignore: config.checks.ignore };
}

/** The branches other than the default branch that a configuration names. */
export function namedBranches({ spaces }: Config, defaultBranch: string): readonly string[] {
  return [...new Set(spaces.flatMap(({ branch }) => branch ?? []))].filter(
    (branch) => branch !== defaultBranch,
  );
}
