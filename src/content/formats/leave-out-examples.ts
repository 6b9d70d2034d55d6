import type { RepoPath } from '../model.ts';
import { isLeftOut } from '../tree/page-files.ts';

/** Folders that hold what a project tests or shows with, rather than what it publishes. */
const EXAMPLES =
  /(?:^|\/)(?:__?tests?_*|tests?|specs?|examples?|fixtures?|__fixtures__|e2e|templates?|testdata|test[-_]data|demos?)(?:\/|$)/i;

/**
 * Of the files that show spaces, those that people publish: none in dot folders or installed packages, and those of
 * tests and examples only where there are no others.
 */
export function leaveOutExamples(paths: readonly RepoPath[]): readonly RepoPath[] {
  const kept = paths.filter((path) => !isLeftOut(path));
  const published = kept.filter((path) => !EXAMPLES.test(path));
  return published.length > 0 ? published : kept;
}
