import type { Octokit, PullParameters } from '../../github/index.ts';
import type { MirrorKind } from '../../store/index.ts';

/** A comment on a pull request, as GitHub has it now. */
export interface RemoteComment {
  readonly kind: MirrorKind;
  readonly id: number;
  readonly url: string;
  readonly body: string;
  readonly author: string;
  /** Whether the App wrote it. */
  readonly isOwn: boolean;
  /** Whether another program did. */
  readonly isByProgram: boolean;
  /** The first comment of its thread; null for that itself. */
  readonly replyTo: number | null;
  /** Null in the conversation. */
  readonly path: string | null;
  /** On the new side; null on a whole file, and where the line is gone. */
  readonly line: number | null;
  /** Whether it is on a whole file. */
  readonly isOnFile: boolean;
}

export interface RemoteComments {
  readonly items: readonly RemoteComment[];
  /** Whether there are no more. */
  readonly isComplete: boolean;
}

const PER_PAGE = 100;
const MAX_PAGES = 10;

/** Lists the comments of a pull request, the oldest first: on its lines and files, and of its conversation. */
export async function listRemoteComments(
  octokit: Octokit,
  parameters: PullParameters,
  ownLogin: string,
): Promise<RemoteComments> {
  const { owner, repo, pull_number } = parameters;
  const reviews = await readAll(
    async (page) =>
      (await octokit.rest.pulls.listReviewComments({ ...parameters, per_page: PER_PAGE, page })).data,
  );
  const conversation = await readAll(
    async (page) =>
      (
        await octokit.rest.issues.listComments({
          owner,
          repo,
          issue_number: pull_number,
          per_page: PER_PAGE,
          page,
        })
      ).data,
  );
  const said = ({ id, html_url: url, body = '', user }: Listed) => ({
    id,
    url,
    body: body ?? '',
    author: user?.login ?? 'ghost',
    isOwn: user?.login === ownLogin,
    isByProgram: user?.type === 'Bot',
  });
  return {
    items: [
      ...reviews.rows.map((row) => ({
        ...said(row),
        kind: 'review' as const,
        replyTo: row.in_reply_to_id ?? null,
        path: row.path,
        line: row.subject_type === 'file' || row.side === 'LEFT' ? null : (row.line ?? null),
        isOnFile: row.subject_type === 'file',
      })),
      ...conversation.rows.map((row) => ({
        ...said(row),
        kind: 'conversation' as const,
        replyTo: null,
        path: null,
        line: null,
        isOnFile: false,
      })),
    ],
    isComplete: reviews.isComplete && conversation.isComplete,
  };
}

interface Listed {
  readonly id: number;
  readonly html_url: string;
  readonly body?: string | null;
  readonly user: { readonly login: string; readonly type: string } | null;
}

async function readAll<T>(read: (page: number) => Promise<readonly T[]>) {
  const rows: T[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const more = await read(page);
    rows.push(...more);
    if (more.length < PER_PAGE) return { rows, isComplete: true };
  }
  return { rows, isComplete: false };
}
