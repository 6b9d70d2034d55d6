import type { Octokit, PullParameters, Repository, ShownLines } from '../../github/index.ts';
import {
  insertMirroredComment,
  type MirroredCommentRow,
  type PullChangeRequestRow,
  type PullKey,
} from '../../store/index.ts';
import type { SyncDeps } from '../deps.ts';
import type { LocalThreads } from './local-comments.ts';
import type { RemoteComment, RemoteComments } from './remote-comments.ts';
import { digestOfText } from './write-mirrored.ts';

/** A pull request whose comments are compared with those here, and what is known of both. */
export interface Mirror {
  readonly deps: SyncDeps;
  readonly octokit: Octokit;
  readonly repository: Repository;
  readonly key: PullKey;
  readonly parameters: PullParameters;
  readonly headOid: string;
  /** The change requests that it carries. */
  readonly carried: readonly PullChangeRequestRow[];
  readonly local: LocalThreads;
  readonly remote: RemoteComments;
  /** What is mirrored already. Steps add what they mirror. */
  readonly rows: MirroredCommentRow[];
  /** The text of a file at the head; null where it has none that can be read. */
  readonly readFile: (path: string) => Promise<string | null>;
  readonly readShown: () => Promise<ShownLines>;
  readonly signal: AbortSignal;
}

/** The row of something written here. */
export function rowOf(mirror: Mirror, commentId: string, replyId = ''): MirroredCommentRow | undefined {
  return mirror.rows.find((row) => row.commentId === commentId && row.replyId === replyId);
}

/** The row of something on GitHub. */
export function rowOfRemote(
  mirror: Mirror,
  { kind, id }: Pick<RemoteComment, 'kind' | 'id'>,
): MirroredCommentRow | undefined {
  return mirror.rows.find((row) => row.kind === kind && row.remoteId === id);
}

/** Records that a comment or reply here and one on GitHub are the same. */
export async function recordCopy(
  mirror: Mirror,
  remote: Pick<RemoteComment, 'kind' | 'id' | 'body'>,
  {
    of,
    commentId,
    replyId = '',
    origin,
  }: {
    readonly of: PullChangeRequestRow;
    readonly commentId: string;
    readonly replyId?: string;
    readonly origin: MirroredCommentRow['origin'];
  },
): Promise<void> {
  mirror.rows.push(
    await insertMirroredComment(mirror.deps.db, {
      ...mirror.key,
      kind: remote.kind,
      remoteId: remote.id,
      changeRequestId: of.changeRequestId,
      commentId,
      replyId,
      origin,
      digest: digestOfText(remote.body),
    }),
  );
}
