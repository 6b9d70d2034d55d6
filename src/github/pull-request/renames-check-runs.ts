import { isDeepStrictEqual } from 'node:util';
import type { Repository } from '../api/index.ts';
import { type ConfigInForce, NO_CONFIG, type ValidConfig } from '../repository/index.ts';

import { planRuns } from './plan-runs.ts';

/** Whether pull requests get check runs of other names by a configuration than by the one before it. */
export function renamesCheckRuns(
  repository: Repository,
  { before: known, ...after }: ConfigInForce,
): boolean {
  // What was checked before the first one was read got the names of none.
  const before = known ?? NO_CONFIG;
  const namesBy = (inForce: ValidConfig) =>
    planRuns({
      repositoryName: repository.name,
      defaultBranch: repository.defaultBranch,
      baseBranch: repository.defaultBranch,
      inForce,
      bound: [],
    });
  return (
    before.config.checks.runs !== after.config.checks.runs ||
    !isDeepStrictEqual(namesBy(before), namesBy(after))
  );
}
