import { type FileMistake, type Octokit, postFileCheck, type Repository } from '../api/index.ts';

import { CONFIG_PATH } from './repository-config.ts';

/** The name of the check run about the configuration. */
export const CONFIG_CHECK = 'Docloom configuration';

/** The result of reading a commit's configuration. */
export interface ConfigVerdict {
  readonly problems: readonly FileMistake[];
  /** The commit whose configuration stays in force; null when none ever was. */
  readonly inForce: string | null;
}

/** Reports on a commit's configuration in a check run of its own. */
export async function postConfigCheck(
  octokit: Octokit,
  repository: Repository,
  commitOid: string,
  { problems, inForce }: ConfigVerdict,
): Promise<void> {
  await postFileCheck(octokit, repository, commitOid, {
    name: CONFIG_CHECK,
    path: CONFIG_PATH,
    annotationTitle: 'Configuration',
    problems,
    untilFixed:
      inForce === null
        ? 'Until it is fixed nothing is synced; what is live stays live.'
        : `Until it is fixed the configuration of ${inForce.slice(0, 7)} stays in force.`,
    passed: {
      title: 'The configuration is in force',
      summary: `\`${CONFIG_PATH}\` changed, has no mistake, and is in force from this commit on.`,
    },
  });
}
