import {
  markdown,
  type Octokit,
  type PullParameters,
  type PullRequest,
  readShownLines,
} from '../api/index.ts';

import type { FixedFile } from './fix-files.ts';

const { comment, paragraph, suggestion, text, writeMarkdown } = markdown;

/** A corrected line. */
interface Suggestion {
  readonly path: string;
  readonly line: number;
  readonly fixed: string;
}

/** How many lines were suggested, and how many were left out, because the diff does not show them or they are too many. */
export interface Suggested {
  readonly lines: number;
  readonly left: number;
}

/** More comments would bury those of people. */
const MAX_COMMENTS = 30;
const PER_PAGE = 100;

/** Marks our reviews, so that a second press adds nothing. */
const MARK = comment('docloom: suggested fixes');

/**
 * Suggests the fixes in one review, each on its line, where the author can commit them with a click. GitHub allows them
 * only on lines that the diff shows.
 */
export async function suggestFixes(
  octokit: Octokit,
  pull: PullRequest,
  files: readonly FixedFile[],
): Promise<Suggested> {
  const { repository, number, headOid } = pull;
  const parameters = { owner: repository.owner, repo: repository.name, pull_number: number };
  const shown = await readShownLines(octokit, parameters);
  const all = files.flatMap(changedLines);
  const fitting = all.filter(({ path, line }) => shown.get(path)?.(line) === true).slice(0, MAX_COMMENTS);
  const result = { lines: fitting.length, left: all.length - fitting.length };
  if (fitting.length === 0 || (await isSuggested(octokit, parameters, headOid))) return result;
  await octokit.rest.pulls.createReview({
    ...parameters,
    commit_id: headOid,
    event: 'COMMENT',
    body: writeMarkdown([
      MARK,
      paragraph([text('These links are broken; each suggestion has the new destination.')]),
    ]).trimEnd(),
    comments: fitting.map(({ path, line, fixed }) => ({ path, line, side: 'RIGHT', body: suggest(fixed) })),
  });
  return result;
}

/** The lines that differ. A new destination never changes the number of lines. */
function changedLines({ path, before, after }: FixedFile): readonly Suggestion[] {
  const old = before.split('\n');
  return after.split('\n').flatMap((fixed, at) => {
    return fixed === old[at] ? [] : [{ path, line: at + 1, fixed: fixed.replace(/\r$/, '') }];
  });
}

function suggest(line: string): string {
  return writeMarkdown([suggestion(line)]).trimEnd();
}

async function isSuggested(octokit: Octokit, parameters: PullParameters, headOid: string): Promise<boolean> {
  const { data } = await octokit.rest.pulls.listReviews({ ...parameters, per_page: PER_PAGE });
  const mark = writeMarkdown([MARK]).trimEnd();
  return data.some(({ commit_id, body }) => commit_id === headOid && body.startsWith(mark));
}
