import { type Comment, type CommentReply, operations, PlatformError } from '../../client/index.ts';
import { hasStatusCode, nullWhenMissing } from '../../github/index.ts';
import {
  deleteMirroredComment,
  isMirrored,
  type MirroredCommentRow,
  updateMirroredComment,
} from '../../store/index.ts';
import { findQuote } from './find-text.ts';
import { type LocalThread, paramsOf } from './local-comments.ts';
import { type Mirror, recordCopy, rowOf, rowOfRemote } from './mirror.ts';
import type { RemoteComment } from './remote-comments.ts';
import { digestOfText, type Placement, readMark, writeRemote } from './write-mirrored.ts';

/** What GitHub answers about a comment that was posted. */
type Posted = Pick<RemoteComment, 'kind' | 'id' | 'url'>;

/** Records the copies on GitHub whose recording was interrupted. Only what the App itself wrote is believed. */
export async function adoptCopies(mirror: Mirror): Promise<void> {
  for (const remote of mirror.remote.items) {
    const mark = remote.isOwn ? readMark(remote.body) : null;
    if (mark === null || rowOfRemote(mirror, remote) !== undefined) continue;
    const thread = mirror.local.items.find(({ comment, replies }) =>
      mark.kind === 'comment' ? comment.id === mark.id : replies.some(({ id }) => id === mark.id),
    );
    if (thread === undefined) continue;
    const replyId = mark.kind === 'reply' ? mark.id : '';
    if (rowOf(mirror, thread.comment.id, replyId) === undefined)
      await recordCopy(mirror, remote, {
        of: thread.of,
        commentId: thread.comment.id,
        replyId,
        origin: 'here',
      });
  }
}

/** Posts what is only here, and writes again or deletes what was changed or deleted here. */
export async function copyToGitHub(mirror: Mirror): Promise<void> {
  for (const thread of mirror.local.items) {
    mirror.signal.throwIfAborted();
    const { comment } = thread;
    if (comment.mirror?.author === undefined) await copyComment(mirror, thread);
    for (const reply of thread.replies) {
      if (reply.mirror?.author === undefined) await copyReply(mirror, thread, reply);
    }
  }
  await deleteOrphans(mirror);
}

async function copyComment(mirror: Mirror, thread: LocalThread): Promise<void> {
  const { comment } = thread;
  const row = rowOf(mirror, comment.id);
  if (row !== undefined) return await keepCurrent(mirror, thread, comment, row);
  // What was settled before there was a pull request is of no interest there.
  if (comment.status === 'resolved' || (await isMirrored(mirror.deps.db, comment.id, ''))) return;
  const { posted, body } = await postComment(mirror, thread);
  await recordCopy(mirror, { ...posted, body }, { of: thread.of, commentId: comment.id, origin: 'here' });
  await nameCopy(mirror, thread, comment, posted.url);
}

async function copyReply(mirror: Mirror, thread: LocalThread, reply: CommentReply): Promise<void> {
  const { comment } = thread;
  const row = rowOf(mirror, comment.id, reply.id);
  if (row !== undefined) return await keepCurrent(mirror, thread, reply, row);
  const parent = rowOf(mirror, comment.id);
  if (parent === undefined || parent.goneAt !== null) return;
  if (await isMirrored(mirror.deps.db, comment.id, reply.id)) return;
  const same = { of: thread.of, commentId: comment.id, replyId: reply.id, origin: 'here' } as const;
  const { octokit, parameters } = mirror;
  if (parent.kind === 'conversation') {
    const body = writeRemote(reply, { placement: 'conversation', replyTo: comment });
    const posted = await postInConversation(mirror, body);
    await recordCopy(mirror, { ...posted, body }, same);
    return await nameCopy(mirror, thread, reply, posted.url);
  }
  const body = writeRemote(reply, { placement: 'line' });
  const answer = await nullWhenMissing(
    octokit.rest.pulls.createReplyForReviewComment({ ...parameters, comment_id: parent.remoteId, body }),
  );
  if (answer === null) return; // The thread was deleted there meanwhile.
  const posted = { kind: 'review' as const, id: answer.data.id, url: answer.data.html_url };
  await recordCopy(mirror, { ...posted, body }, same);
  await nameCopy(mirror, thread, reply, posted.url);
}

/** Writes what was changed here to its copy; a copy that somebody deleted on GitHub stays deleted. */
async function keepCurrent(
  mirror: Mirror,
  thread: LocalThread,
  said: Comment | CommentReply,
  row: MirroredCommentRow,
): Promise<void> {
  const { db } = mirror.deps;
  if (row.goneAt !== null || row.origin === 'there') return;
  const copy = mirror.remote.items.find(({ kind, id }) => kind === row.kind && id === row.remoteId);
  if (copy === undefined) {
    if (!mirror.remote.isComplete) return;
    await updateMirroredComment(db, row, { goneAt: mirror.deps.now() });
    return await nameCopy(mirror, thread, said, null);
  }
  const body = bodyLike(copy, said, thread);
  if (digestOfText(body) !== row.digest) {
    await editRemote(mirror, row, body);
    await updateMirroredComment(db, row, { digest: digestOfText(body) });
  }
  if (said.mirror?.url !== copy.url) await nameCopy(mirror, thread, said, copy.url);
}

/** The text for where the copy stands. */
function bodyLike(copy: RemoteComment, said: Comment | CommentReply, { comment }: LocalThread): string {
  const placement: Placement =
    copy.kind === 'conversation' ? 'conversation' : copy.isOnFile && copy.replyTo === null ? 'file' : 'line';
  return writeRemote(said, {
    placement,
    ...(said.object === 'comment-reply' && placement === 'conversation' && { replyTo: comment }),
  });
}

async function editRemote(
  { octokit, parameters: { owner, repo } }: Mirror,
  { kind, remoteId: comment_id }: MirroredCommentRow,
  body: string,
): Promise<void> {
  const edit = { owner, repo, comment_id, body };
  const edited: Promise<unknown> =
    kind === 'review'
      ? octokit.rest.pulls.updateReviewComment(edit)
      : octokit.rest.issues.updateComment(edit);
  await nullWhenMissing(edited);
}

/** Deletes the copies of what was deleted here; what others replied to them stays there. */
async function deleteOrphans(mirror: Mirror): Promise<void> {
  const { octokit, parameters, deps, local, remote } = mirror;
  if (!local.isComplete) return;
  const isHere = ({ commentId, replyId }: MirroredCommentRow) =>
    local.items.some(
      ({ comment, replies }) =>
        comment.id === commentId && (replyId === '' || replies.some(({ id }) => id === replyId)),
    );
  for (const row of mirror.rows) {
    if (row.origin === 'there' || row.goneAt !== null || isHere(row)) continue;
    const { owner, repo } = parameters;
    const copy = { owner, repo, comment_id: row.remoteId };
    // What was posted in this run is not in the list, but is not deleted here either.
    if (remote.items.some(({ kind, id }) => kind === row.kind && id === row.remoteId)) {
      const deleted: Promise<unknown> =
        row.kind === 'review'
          ? octokit.rest.pulls.deleteReviewComment(copy)
          : octokit.rest.issues.deleteComment(copy);
      await nullWhenMissing(deleted);
    }
    await deleteMirroredComment(deps.db, row);
  }
}

async function postComment(
  mirror: Mirror,
  { of, comment }: LocalThread,
): Promise<{ readonly posted: Posted; readonly body: string }> {
  const { octokit, parameters, headOid } = mirror;
  const path = await pathOf(mirror, of, comment);
  const shown = path === null ? undefined : (await mirror.readShown()).get(path);
  if (path !== null && shown !== undefined) {
    const line = await lineOf(mirror, path, comment, shown);
    const places = [
      ...(line === null ? [] : [{ placement: 'line' as const, at: { line, side: 'RIGHT' as const } }]),
      { placement: 'file' as const, at: { subject_type: 'file' as const } },
    ];
    for (const { placement, at } of places) {
      const body = writeRemote(comment, { placement });
      try {
        const { data } = await octokit.rest.pulls.createReviewComment({
          ...parameters,
          commit_id: headOid,
          path,
          body,
          ...at,
        });
        return { posted: { kind: 'review', id: data.id, url: data.html_url }, body };
      } catch (error) {
        // The head moved, or GitHub shows less of the file.
        if (!hasStatusCode(error, 422)) throw error;
      }
    }
  }
  const body = writeRemote(comment, { placement: 'conversation' });
  return { posted: await postInConversation(mirror, body), body };
}

async function postInConversation({ octokit, parameters }: Mirror, body: string): Promise<Posted> {
  const { owner, repo, pull_number } = parameters;
  const { data } = await octokit.rest.issues.createComment({ owner, repo, issue_number: pull_number, body });
  return { kind: 'conversation', id: data.id, url: data.html_url };
}

/** The source file of the page that a comment is about; null where it is about none. */
async function pathOf(
  { deps, signal }: Mirror,
  of: LocalThread['of'],
  { target }: Comment,
): Promise<string | null> {
  if (target.page === undefined || target.anchor?.state === 'page-gone') return null;
  try {
    const page = await deps.client.call(operations.getChangeRequestPage, {
      params: { ...paramsOf(of), pageId: target.page.id },
      signal,
    });
    return page.git?.path ?? null;
  } catch (error) {
    if (error instanceof PlatformError && error.status === 404) return null;
    throw error;
  }
}

/** A line of the text that a comment is about that the diff shows; null where it shows none. */
async function lineOf(
  mirror: Mirror,
  path: string,
  { target: { anchor, node } }: Comment,
  isShown: (line: number) => boolean,
): Promise<number | null> {
  if (node === undefined || anchor?.quote === undefined) return null;
  const source = await mirror.readFile(path);
  if (source === null) return null;
  for (const { start, end } of findQuote(source, anchor.quote)) {
    for (let line = start; line <= end; line++) if (isShown(line)) return line;
  }
  return null;
}

/** Says on a comment or reply where its copy is. */
async function nameCopy(
  { deps: { client }, signal }: Mirror,
  { of, comment }: LocalThread,
  said: Comment | CommentReply,
  url: string | null,
): Promise<void> {
  const params = { ...paramsOf(of), commentId: comment.id };
  const body = { mirror: url === null ? null : { url } };
  try {
    if (said.object === 'comment')
      await client.call(operations.updateChangeRequestComment, { params, body, signal });
    else
      await client.call(operations.updateChangeRequestCommentReply, {
        params: { ...params, commentReplyId: said.id },
        body,
        signal,
      });
  } catch (error) {
    // It was deleted meanwhile; the next run deletes its copy.
    if (!(error instanceof PlatformError && error.status === 404)) throw error;
  }
}
