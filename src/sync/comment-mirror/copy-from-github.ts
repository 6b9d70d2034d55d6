import { operations, type PageResource, PlatformError } from '../../client/index.ts';
import { blocksOf } from '../../content/anchors/index.ts';
import type { DocumentTree } from '../../content/render/index.ts';
import {
  type MirroredCommentRow,
  type PullChangeRequestRow,
  updateMirroredComment,
} from '../../store/index.ts';
import { findBlock } from './find-text.ts';
import { paramsOf } from './local-comments.ts';
import { type Mirror, recordCopy, rowOfRemote } from './mirror.ts';
import type { RemoteComment } from './remote-comments.ts';
import { digestOfText, writeLocal } from './write-mirrored.ts';

const DELETED = '*Deleted on GitHub.*';

/**
 * Copies what people said on lines and files of the pull request, and changes or deletes the copies of what they changed or
 * deleted. What programs write there, and the conversation below the changes, stay there.
 */
export async function copyFromGitHub(mirror: Mirror): Promise<void> {
  for (const remote of mirror.remote.items) {
    mirror.signal.throwIfAborted();
    if (remote.kind !== 'review' || remote.isOwn || remote.isByProgram) continue;
    const row = rowOfRemote(mirror, remote);
    if (row === undefined) await copyRemote(mirror, remote);
    else if (row.goneAt === null && row.digest !== digestOfText(remote.body))
      await editCopy(mirror, row, remote);
  }
  if (mirror.remote.isComplete) await deleteCopies(mirror);
}

async function copyRemote(mirror: Mirror, remote: RemoteComment): Promise<void> {
  const first = mirror.remote.items.find(({ kind, id }) => kind === 'review' && id === remote.replyTo);
  const thread = first === undefined ? undefined : rowOfRemote(mirror, first);
  if (thread !== undefined) {
    if (thread.goneAt === null) await copyReplyTo(mirror, thread, remote);
    return;
  }
  // A reply to what the App wrote about something else, or a program did, says nothing without it.
  if (first?.isOwn === true || first?.isByProgram === true) return;
  await copyAsThread(mirror, remote);
}

async function copyReplyTo(mirror: Mirror, thread: MirroredCommentRow, remote: RemoteComment): Promise<void> {
  const { client } = mirror.deps;
  const of = mirror.carried.find(({ changeRequestId }) => changeRequestId === thread.changeRequestId);
  if (of === undefined) return;
  const reply = await nullWhenGone(
    client.call(operations.createChangeRequestCommentReply, {
      params: { ...paramsOf(of), commentId: thread.commentId },
      body: { body: { markdown: writeLocal(remote.body) }, mirror: originOf(remote) },
      signal: mirror.signal,
    }),
  );
  if (reply !== null)
    return await recordCopy(mirror, remote, {
      of,
      commentId: thread.commentId,
      replyId: reply.id,
      origin: 'there',
    });
  // Somebody deleted the thread here; nothing of it comes back.
  await updateMirroredComment(mirror.deps.db, thread, { goneAt: mirror.deps.now() });
}

async function copyAsThread(mirror: Mirror, remote: RemoteComment): Promise<void> {
  const { client } = mirror.deps;
  const { path, line } = remote;
  const of = await choose(mirror, path);
  if (of === undefined) return;
  const place = path === null ? null : await findPlace(mirror, of, path, line);
  const post = (at: { readonly page?: string; readonly node?: string }) =>
    client.call(operations.createChangeRequestComment, {
      params: paramsOf(of),
      body: {
        body: { markdown: writeLocal(remote.body, at.node === undefined ? introOf(remote) : null) },
        mirror: originOf(remote),
        ...at,
      },
      signal: mirror.signal,
    });
  let comment: Awaited<ReturnType<typeof post>>;
  try {
    comment = await post(place ?? {});
  } catch (error) {
    // The page was changed at the same time: then it is about the whole.
    if (place === null || !(error instanceof PlatformError && [400, 409].includes(error.status))) throw error;
    comment = await post({});
  }
  await recordCopy(mirror, remote, { of, commentId: comment.id, origin: 'there' });
}

function originOf({ url, author }: RemoteComment) {
  return { url, author };
}

/** Names the place of a comment that does not stand on its text here. */
function introOf({ path, line }: RemoteComment): string | null {
  if (path === null) return null;
  const file = path.replaceAll('`', '');
  return line === null ? `On the file \`${file}\`:` : `On line ${line} of \`${file}\`:`;
}

/** The change request that a comment on a file is about: one that changes it, or else any. */
async function choose(mirror: Mirror, path: string | null): Promise<PullChangeRequestRow | undefined> {
  const { carried, deps, signal } = mirror;
  const last = carried.at(-1);
  if (carried.length < 2 || path === null) return last;
  for (const of of carried.toReversed()) {
    const files = deps.client.paginate(operations.listChangedFiles, {
      params: paramsOf(of),
      query: { limit: 1_000 },
      signal,
    });
    for await (const file of files) if (file.path === path) return of;
  }
  return last;
}

/** The page that is made from a file, and its block that says what the line says; null where there is no page. */
async function findPlace(
  { deps: { client }, readFile, signal }: Mirror,
  of: PullChangeRequestRow,
  path: string,
  line: number | null,
): Promise<{ readonly page: string; readonly node?: string } | null> {
  const { pages } = await client.call(operations.listChangeRequestPages, { params: paramsOf(of), signal });
  const page = findPage(pages, path);
  if (page === null) return null;
  const source = line === null ? null : await readFile(path);
  if (line === null || source === null) return { page: page.id };
  const { document } = await client.call(operations.getChangeRequestPage, {
    params: { ...paramsOf(of), pageId: page.id },
    query: { format: 'document' },
    signal,
  });
  if (document === undefined) return { page: page.id };
  const node = findBlock(source, line, blocksOf(document as unknown as DocumentTree));
  return { page: page.id, ...(node !== null && { node }) };
}

function findPage(pages: readonly PageResource[], path: string): PageResource | null {
  for (const page of pages) {
    if (page.git?.path === path) return page;
    const below = findPage(page.pages, path);
    if (below !== null) return below;
  }
  return null;
}

async function editCopy(mirror: Mirror, row: MirroredCommentRow, remote: RemoteComment): Promise<void> {
  const { db } = mirror.deps;
  const isPlaced = mirror.local.items.some(
    ({ comment }) => comment.id === row.commentId && comment.target.node !== undefined,
  );
  const intro = row.replyId === '' && !isPlaced ? introOf(remote) : null;
  const isThere = await writeCopy(mirror, row, {
    body: { markdown: writeLocal(remote.body, intro) },
    mirror: { url: remote.url },
  });
  await updateMirroredComment(db, row, {
    digest: digestOfText(remote.body),
    // Somebody deleted the copy; it does not come back.
    ...(isThere ? {} : { goneAt: mirror.deps.now() }),
  });
}

/** Deletes the copies of what was deleted on GitHub; a thread that people here replied in stays, without that text. */
async function deleteCopies(mirror: Mirror): Promise<void> {
  const { client, db, now } = mirror.deps;
  const there = new Set(mirror.remote.items.map(({ kind, id }) => `${kind} ${id}`));
  for (const row of mirror.rows.toReversed()) {
    if (row.origin === 'here' || row.goneAt !== null || there.has(`${row.kind} ${row.remoteId}`)) continue;
    const thread = mirror.local.items.find(({ comment }) => comment.id === row.commentId);
    const of = mirror.carried.find(({ changeRequestId }) => changeRequestId === row.changeRequestId);
    if (of === undefined) continue;
    const params = { ...paramsOf(of), commentId: row.commentId };
    if (row.replyId !== '') {
      await client.call(operations.deleteChangeRequestCommentReply, {
        params: { ...params, commentReplyId: row.replyId },
        signal: mirror.signal,
      });
    } else if ((thread?.replies.length ?? 0) > 0) {
      await writeCopy(mirror, row, { body: { markdown: DELETED } });
    } else {
      await client.call(operations.deleteChangeRequestComment, { params, signal: mirror.signal });
    }
    await updateMirroredComment(db, row, { goneAt: now() });
  }
}

/** False when somebody deleted the copy. */
async function writeCopy(
  { deps: { client }, carried, signal }: Mirror,
  row: MirroredCommentRow,
  body: { readonly body: { readonly markdown: string }; readonly mirror?: { readonly url: string } },
): Promise<boolean> {
  const of = carried.find(({ changeRequestId }) => changeRequestId === row.changeRequestId);
  if (of === undefined) return false;
  const params = { ...paramsOf(of), commentId: row.commentId };
  const written: Promise<unknown> =
    row.replyId === ''
      ? client.call(operations.updateChangeRequestComment, { params, body, signal })
      : client.call(operations.updateChangeRequestCommentReply, {
          params: { ...params, commentReplyId: row.replyId },
          body,
          signal,
        });
  return (await nullWhenGone(written)) !== null;
}

async function nullWhenGone<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof PlatformError && error.status === 404) return null;
    throw error;
  }
}
