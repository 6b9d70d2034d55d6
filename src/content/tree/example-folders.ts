import type { RepoPath } from '../model/index.ts';
import { isLeftOut } from './page-files.ts';

/** Names of folders with tests, examples or third-party code, which a project does not publish. */
const EXAMPLES =
  /(?:^|\/)(?:(?:[^/]{1,100}[-_])?_{0,2}tests?_{0,2}|examples?|samples?|(?:__)?fixtures?(?:__)?|e2e|templates?|starters?|boilerplates?|testdata|test[-_]data|demos?|playgrounds?|vendor|third[-_]party)(?:\/|$)/i;

/** Whether a folder is among a project's tests and examples. */
export function isExampleFolder(folder: RepoPath): boolean {
  return EXAMPLES.test(folder);
}

/** Returns the paths that are neither in dot folders nor in installed packages. */
export function withoutInstalled(paths: readonly RepoPath[]): readonly RepoPath[] {
  return paths.filter((path) => !isLeftOut(path));
}
