import { Buffer } from 'node:buffer';
import { parseConfig } from '../content/config/index.ts';
import type { IgnoreRule } from '../content/ignore/index.ts';
import type { DeclaredSpace, FormatName, Problem } from '../content/index.ts';
import type { Octokit } from './octokit.ts';
import { nullWhenMissing, type Repository } from './repository.ts';

export const CONFIG_PATH = '.github/docloom.yml';

/** One space of a repository, declared or found. */
export interface SpaceConfig {
  /** Below the repository's root, without slashes at the ends; empty for the root. */
  readonly directory: string;
  readonly title: string;
  readonly format?: FormatName;
}

/**
 * What a repository's configuration says: its spaces (null for none) and the links to ignore, or what is wrong with
 * the file (never both).
 */
export type RepositoryConfig =
  | { readonly declared: readonly DeclaredSpace[] | null; readonly ignore: readonly IgnoreRule[] }
  | { readonly problems: readonly Problem[] };

/** What a repository without the file says. */
export const NO_CONFIG: RepositoryConfig = { declared: null, ignore: [] };

/** Reads `.github/docloom.yml` at a commit through the API. */
export async function readRepositoryConfig(
  octokit: Octokit,
  repository: Repository,
  commitOid: string,
): Promise<RepositoryConfig> {
  const answer = await nullWhenMissing(
    octokit.rest.repos.getContent({
      owner: repository.owner,
      repo: repository.name,
      path: CONFIG_PATH,
      ref: commitOid,
    }),
  );
  if (answer === null) return NO_CONFIG;
  const { data } = answer;
  if (Array.isArray(data) || !('content' in data)) return notAFile();
  // Above 1 MB GitHub sends no content, and the encoding `none`.
  if (data.encoding !== 'base64')
    return { problems: [{ message: `${CONFIG_PATH} is too large.`, line: null }] };
  return interpretConfig(Buffer.from(data.content, 'base64').toString('utf8'));
}

/** Reads the text of a configuration file. */
export function interpretConfig(text: string): RepositoryConfig {
  const parsed = parseConfig(text);
  if ('problems' in parsed) return { problems: parsed.problems };
  const { spaces, checks } = parsed.config;
  return { declared: spaces.length === 0 ? null : spaces, ignore: checks.ignore };
}

function notAFile(): RepositoryConfig {
  return { problems: [{ message: `${CONFIG_PATH} must be a file.`, line: null }] };
}
