import type { ConversationsConfig } from '../../config/index.ts';
import { hasStatusCode, nullWhenMissing, type Octokit, type RepositoryName } from '../../github/index.ts';
import { type ListedQuestions, MAX_LISTED } from './listed-questions.ts';
import { authorOf, MAX_COMMENTS, type Question } from './question.ts';

const PER_PAGE = 100;

/** Lists the issues that a configuration wants, the most recently changed of each label first. */
export async function listIssues(
  octokit: Octokit,
  name: RepositoryName,
  { labels }: NonNullable<ConversationsConfig['issues']>,
): Promise<ListedQuestions> {
  const found = new Map<number, Date>();
  let isComplete = true;
  for (const label of labels) {
    for (let page = 1, more = true; more; page++) {
      if ((page - 1) * PER_PAGE >= MAX_LISTED) {
        isComplete = false;
        break;
      }
      const { data, headers } = await octokit.rest.issues.listForRepo({
        owner: name.owner,
        repo: name.name,
        labels: label,
        state: 'all',
        sort: 'updated',
        direction: 'desc',
        per_page: PER_PAGE,
        page,
      });
      for (const issue of data)
        if (issue.pull_request === undefined) found.set(issue.number, new Date(issue.updated_at));
      more = /rel="next"/.test(headers.link ?? '');
    }
  }
  return { changedAt: found, isComplete };
}

/** An issue with its comments; null where it is deleted, transferred, or a pull request. */
export async function readIssue(
  octokit: Octokit,
  name: RepositoryName,
  number: number,
): Promise<Question | null> {
  const { owner, name: repo } = name;
  const about = { owner, repo, issue_number: number };
  const issue = await readUnlessDeleted(octokit.rest.issues.get(about));
  if (issue === null || issue.pull_request !== undefined) return null;
  // GitHub leads from a transferred issue to where it is now.
  const address = `/repos/${owner}/${repo}`.toLowerCase();
  if (issue.number !== number || !issue.repository_url.toLowerCase().endsWith(address)) return null;
  const comments =
    issue.comments === 0
      ? []
      : ((await readUnlessDeleted(octokit.rest.issues.listComments({ ...about, per_page: MAX_COMMENTS }))) ??
        []);
  return {
    kind: 'issues',
    number,
    title: issue.title,
    body: issue.body ?? '',
    url: issue.html_url,
    createdAt: issue.created_at,
    labels: issue.labels.flatMap((label) => (typeof label === 'string' ? label : (label.name ?? []))),
    isByProgram: issue.user?.type === 'Bot',
    comments: comments.map(({ body, author_association, user }) => ({
      body: body ?? '',
      by: authorOf(author_association ?? 'NONE', user?.type === 'Bot'),
    })),
  };
}

/** What a call answers; null for what is not there, or not any more (410). */
async function readUnlessDeleted<D>(call: Promise<{ readonly data: D }>): Promise<D | null> {
  try {
    return (await nullWhenMissing(call))?.data ?? null;
  } catch (error) {
    if (hasStatusCode(error, 410)) return null;
    throw error;
  }
}
