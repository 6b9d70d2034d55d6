import type { Octokit } from '../octokit.ts';
import type { Repository } from '../repository.ts';
import type { ConfigMistake } from '../repository-config.ts';

/** The API takes at most 50 annotations in a request. */
const MAX_ANNOTATIONS = 50;

/** What there is to say of a file of a commit that Docloom reads. */
export interface FileVerdict {
  /** Of the check run. */
  readonly name: string;
  readonly path: string;
  /** The title of each annotation. */
  readonly what: string;
  /** None for a file that is well. */
  readonly problems: readonly ConfigMistake[];
  /** What holds while there are problems. */
  readonly untilMended: string;
  readonly praise: { readonly title: string; readonly summary: string };
}

/**
 * Tells of a file in a check run of its own, with each mistake on its line. Told once for each commit, also when it is
 * looked at again.
 */
export async function tellFile(
  octokit: Octokit,
  repository: Repository,
  commitOid: string,
  verdict: FileVerdict,
): Promise<void> {
  const { owner, name: repo } = repository;
  const { data } = await octokit.rest.checks.listForRef({
    owner,
    repo,
    ref: commitOid,
    check_name: verdict.name,
    per_page: 1,
  });
  if (data.total_count > 0) return;
  const failed = verdict.problems.length > 0;
  const path = verdict.path.split('/').map(encodeURIComponent).join('/');
  await octokit.rest.checks.create({
    owner,
    repo,
    name: verdict.name,
    head_sha: commitOid,
    status: 'completed',
    conclusion: failed ? 'failure' : 'success',
    output: failed ? describeMistakes(verdict) : verdict.praise,
    details_url: `${repository.htmlUrl}/blob/${commitOid}/${path}`,
  });
}

function describeMistakes({ path, what, problems, untilMended }: FileVerdict) {
  const count = problems.length === 1 ? 'A mistake' : `${problems.length} mistakes`;
  const lines = problems.map(
    ({ message, line }) => `- ${line === null ? '' : `Line ${line}: `}${escapeText(message)}`,
  );
  return {
    title: `${count} in ${path}`,
    summary: `${untilMended}\n\n${lines.join('\n')}\n`.slice(0, 60_000),
    annotations: problems.slice(0, MAX_ANNOTATIONS).map(({ message, line, column }) => ({
      path,
      start_line: line ?? 1,
      end_line: line ?? 1,
      ...(line === null || column === undefined ? {} : { start_column: column, end_column: column }),
      annotation_level: 'failure' as const,
      title: what,
      message,
    })),
  };
}

/** Messages quote what the file says, which may hold any Markdown or HTML; code spans of ours stay. */
function escapeText(message: string): string {
  return message
    .split(/(`[^`]*`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replace(/[\\<>*_[\]|~#&@!]/g, '\\$&')))
    .join('');
}
