import type { Octokit } from '../octokit.ts';
import type { Repository } from '../repository.ts';
import { CONFIG_PATH, type ConfigMistake } from '../repository-config.ts';
import { tellFile } from './file-check.ts';

/** The name of the check run that tells about the configuration. */
export const CONFIG_CHECK = 'docloom / config';

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
  { problems, inForce }: ConfigVerdict,
): Promise<void> {
  await tellFile(octokit, repository, commitOid, {
    name: CONFIG_CHECK,
    path: CONFIG_PATH,
    what: 'Configuration',
    problems,
    untilMended:
      inForce === null
        ? 'Until it is mended nothing is synced; what is live stays live.'
        : `Until it is mended the configuration of ${inForce.slice(0, 7)} stays in force.`,
    praise: {
      title: 'The configuration is in force',
      summary: `\`${CONFIG_PATH}\` changed, holds no mistake, and is in force from this commit on.`,
    },
  });
}
