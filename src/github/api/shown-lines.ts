import type { Octokit } from './octokit.ts';

export interface PullParameters {
  readonly owner: string;
  readonly repo: string;
  readonly pull_number: number;
}

/** The files that a pull request changes, each with whether the diff shows a line of the new side. */
export type ShownLines = ReadonlyMap<string, (line: number) => boolean>;

const MAX_FILE_PAGES = 10;
const PER_PAGE = 100;

/** GitHub takes comments on lines that the diff shows, and on files that it lists. */
export async function readShownLines(octokit: Octokit, parameters: PullParameters): Promise<ShownLines> {
  const shown = new Map<string, (line: number) => boolean>();
  for (let page = 1; page <= MAX_FILE_PAGES; page++) {
    const { data } = await octokit.rest.pulls.listFiles({ ...parameters, per_page: PER_PAGE, page });
    for (const { filename, patch } of data)
      shown.set(filename, patch === undefined ? () => false : linesOf(patch));
    if (data.length < PER_PAGE) break;
  }
  return shown;
}

/** The lines of the new side that a patch shows, by the headers of its hunks. */
function linesOf(patch: string): (line: number) => boolean {
  const hunks = [...patch.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)].map(([, start, count]) => ({
    start: Number(start),
    end: Number(start) + Number(count ?? 1),
  }));
  return (line) => hunks.some(({ start, end }) => line >= start && line < end);
}
