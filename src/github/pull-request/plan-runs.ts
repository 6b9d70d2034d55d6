import { spacesOn } from '../../config/index.ts';
import { CHECK_NAME } from '../api/index.ts';
import { ownTitles, type ValidConfig } from '../repository/index.ts';

/** A check run that the head of a pull request gets. */
export interface PlannedRun {
  readonly name: string;
  /** Of the space that it is about; null for all of them. */
  readonly directory: string | null;
}

export interface RunPlan {
  /** `owner/name` without the owner: what a space is called that has no other name. */
  readonly repositoryName: string;
  readonly defaultBranch: string;
  /** The branch that the pull request is for. */
  readonly baseBranch: string;
  /** The configuration in force: what a pull request changes about the check runs counts once it is merged. */
  readonly inForce: ValidConfig | null;
  /** What is bound to a branch of the repository, where the configuration declares no space. */
  readonly bound: readonly BoundSpace[];
}

interface BoundSpace {
  readonly directory: string;
  readonly title: string;
  readonly branch: string;
}

/** More would cost more calls than GitHub takes in a minute. */
const MAX_RUNS = 50;

const WHOLE: readonly PlannedRun[] = [{ name: CHECK_NAME, directory: null }];

/**
 * The check runs that a head gets whatever it holds, so that one which a branch requires is never missing: one of the
 * whole, or one of each space that the base branch shows.
 */
export function planRuns(plan: RunPlan): readonly PlannedRun[] {
  if (plan.inForce?.config.checks.runs !== 'per-space') return WHOLE;
  const spaces = spacesOfBase(plan, plan.inForce);
  if (spaces.length === 0 || spaces.length > MAX_RUNS) return WHOLE;
  return spaces.map(({ title, directory }) => ({ name: `${CHECK_NAME} / ${title}`, directory }));
}

/** Adds those of the spaces that only the head has. */
export function addRuns(
  planned: readonly PlannedRun[],
  spaces: readonly Omit<BoundSpace, 'branch'>[],
): readonly PlannedRun[] {
  if (planned.some(({ directory }) => directory === null)) return planned;
  const all = [...planned];
  for (const { title, directory } of spaces) {
    if (all.some((one) => one.directory === directory)) continue;
    const name = `${CHECK_NAME} / ${title}`;
    const isTaken = all.some((one) => one.name === name);
    all.push({ directory, name: isTaken ? `${name} (${directory || 'root'})` : name });
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
