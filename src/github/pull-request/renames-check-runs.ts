import { isDeepStrictEqual } from 'node:util';
import type { Repository } from '../api/index.ts';
import { type ConfigInForce, NO_CONFIG, type ValidConfig } from '../repository/index.ts';

import { planRuns } from './plan-runs.ts';

/** Whether a configuration gives the check runs of pull requests other names than the previous configuration. */
export function renamesCheckRuns(
  repository: Repository,
  { before: known, ...after }: ConfigInForce,
): boolean {
  // Checks from before the first configuration have the default names.
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
