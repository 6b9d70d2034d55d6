import type { Octokit } from '../octokit.ts';
import type { Repository } from '../repository.ts';
import { CONFIG_PATH, type ConfigMistake } from '../repository-config.ts';

/** The name of the check run that tells about the configuration. */
export const CONFIG_CHECK = 'docloom / config';

/** The API takes at most 50 annotations in a request. */
const MAX_ANNOTATIONS = 50;

/** What there is to say of a commit's configuration. */
export interface ConfigVerdict {
  readonly problems: readonly ConfigMistake[];
  /** The commit whose configuration stays in force; null when none ever was. */
  readonly inForce: string | null;
}

/**
 * Tells of a commit's configuration in a check run of its own, with each mistake on its line. Told once for each commit,
 * also when it is looked at again.
 */
export async function tellConfig(
  octokit: Octokit,
  repository: Repository,
  commitOid: string,
  verdict: ConfigVerdict,
): Promise<void> {
  const { owner, name: repo } = repository;
  const { data } = await octokit.rest.checks.listForRef({
    owner,
    repo,
    ref: commitOid,
    check_name: CONFIG_CHECK,
    per_page: 1,
  });
  if (data.total_count > 0) return;
  const failed = verdict.problems.length > 0;
  await octokit.rest.checks.create({
    owner,
    repo,
    name: CONFIG_CHECK,
    head_sha: commitOid,
    status: 'completed',
    conclusion: failed ? 'failure' : 'success',
    output: failed ? describeMistakes(verdict) : PRAISE,
    details_url: `${repository.htmlUrl}/blob/${commitOid}/${CONFIG_PATH}`,
  });
}

const PRAISE = {
  title: 'The configuration is in force',
  summary: `\`${CONFIG_PATH}\` changed, holds no mistake, and is in force from this commit on.`,
};

function describeMistakes({ problems, inForce }: ConfigVerdict) {
  const count = problems.length === 1 ? 'A mistake' : `${problems.length} mistakes`;
  const stays =
    inForce === null
      ? 'Until it is mended nothing is synced; what is live stays live.'
      : `Until it is mended the configuration of ${inForce.slice(0, 7)} stays in force.`;
  const lines = problems.map(
    ({ message, line }) => `- ${line === null ? '' : `Line ${line}: `}${escapeText(message)}`,
  );
  return {
    title: `${count} in ${CONFIG_PATH}`,
    summary: `${stays}\n\n${lines.join('\n')}\n`.slice(0, 60_000),
    annotations: problems.slice(0, MAX_ANNOTATIONS).map(({ message, line, column }) => ({
      path: CONFIG_PATH,
      start_line: line ?? 1,
      end_line: line ?? 1,
      ...(line === null || column === undefined ? {} : { start_column: column, end_column: column }),
      annotation_level: 'failure' as const,
      title: 'Configuration',
      message,
    })),
  };
}

/** Messages quote what the file says, which may hold any Markdown or HTML; code spans of ours stay. */
function escapeText(message: string): string {
  return message
    .split(/(`[^`]*`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replace(/[\\<>*_[\]|~#&@!]/g, '\\$&')))
    .join('');
}
