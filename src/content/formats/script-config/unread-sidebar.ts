import type { FileProblem, RepoPath } from '../../model/index.ts';

/** Says that the pages of a sidebar are not in its order, because it is not constant. */
export function unreadSidebar(file: RepoPath): FileProblem {
  const message =
    'A part of the sidebar is known only by running this file, which is not done, so pages that only this part lists have their usual order; write it out as a constant to order them.';
  return { file, line: null, message };
}
