import type { RepoPath } from '../model/index.ts';
import { isLeftOut } from './page-files.ts';

/** Folders that hold what a project tests or shows with, or takes from others, rather than what it publishes. */
const EXAMPLES =
  /(?:^|\/)(?:(?:[^/]{1,100}[-_])?_{0,2}tests?_{0,2}|examples?|samples?|(?:__)?fixtures?(?:__)?|e2e|templates?|starters?|boilerplates?|testdata|test[-_]data|demos?|playgrounds?|vendor|third[-_]party)(?:\/|$)/i;

/** Whether a folder is among a project's tests and examples. */
export function isExampleFolder(folder: RepoPath): boolean {
  return EXAMPLES.test(folder);
}

/** The paths that are neither in dot folders nor in installed packages. */
export function withoutInstalled(paths: readonly RepoPath[]): readonly RepoPath[] {
  return paths.filter((path) => !isLeftOut(path));
}
