import { spacesOn } from '../../config/index.ts';
import { CHECK_NAME } from '../api/index.ts';
import { ownTitles, type ValidConfig } from '../repository/index.ts';

/** A check run that the head of a pull request gets. */
export interface PlannedRun {
  readonly name: string;
  /** The directory of its space; null when it is about all spaces. */
  readonly directory: string | null;
}

export interface RunPlan {
  /** `owner/name` without the owner: the title of a space that has no other. */
  readonly repositoryName: string;
  readonly defaultBranch: string;
  /** The branch that the pull request is to be merged into. */
  readonly baseBranch: string;
  /** The configuration in force: a pull request's changes to the check runs apply once it is merged. */
  readonly inForce: ValidConfig | null;
  /** The bound spaces, used when the configuration declares none. */
  readonly bound: readonly BoundSpace[];
}

interface BoundSpace {
  readonly directory: string;
  readonly title: string;
  readonly branch: string;
}

/** More would need more calls than GitHub accepts in a minute. */
const MAX_RUNS = 50;

const WHOLE: readonly PlannedRun[] = [{ name: CHECK_NAME, directory: null }];

/**
 * The check runs that a head gets whatever it contains, so that a required check is never missing: one for everything, or
 * one for each space of the base branch.
 */
export function planRuns(plan: RunPlan): readonly PlannedRun[] {
  if (plan.inForce?.config.checks.runs !== 'per-space') return WHOLE;
  const spaces = spacesOfBase(plan, plan.inForce);
  if (spaces.length === 0 || spaces.length > MAX_RUNS) return WHOLE;
  return spaces.map(({ title, directory }) => ({ name: `${CHECK_NAME} / ${title}`, directory }));
}

/** Adds the runs of spaces that only the head has. */
export function addRuns(
  planned: readonly PlannedRun[],
  spaces: readonly Omit<BoundSpace, 'branch'>[],
): readonly PlannedRun[] {
  if (planned.some(({ directory }) => directory === null)) return planned;
  const all = [...planned];
  for (const { title, directory } of spaces) {
    if (all.some((run) => run.directory === directory)) continue;
    const name = `${CHECK_NAME} / ${title}`;
    const isUsed = all.some((run) => run.name === name);
    all.push({ directory, name: isUsed ? `${name} (${directory || 'root'})` : name });
  }
  return all;
}

function spacesOfBase(
  { repositoryName, defaultBranch, baseBranch, bound }: RunPlan,
  { config, declared }: ValidConfig,
): readonly Omit<BoundSpace, 'branch'>[] {
  if (declared === null) {
    const onBase = bound.filter(({ branch }) => branch === baseBranch);
    return onBase.toSorted((a, b) => (a.directory < b.directory ? -1 : 1));
  }
  const shown = spacesOn(config, baseBranch, defaultBranch);
  const spaces = shown.length > 0 ? shown : declared;
  const titles = ownTitles(spaces, repositoryName);
  return spaces.map(({ directory }, at) => ({ directory, title: titles[at] ?? repositoryName }));
}
