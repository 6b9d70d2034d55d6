import type { FastifyInstance } from 'fastify';
import { operations } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { spacePath } from '../addresses.ts';
import { readFormProblem } from '../routes/form-problem.ts';
import { type InSpace, inSpace } from '../routes/in-space.ts';
import { ownForm } from '../routes/own-forms.ts';
import { readText } from '../routes/read-text.ts';
import type { PagesContext, SignedIn } from '../routes/signed-in.ts';
import { renderConfirmation } from '../views/confirm-view.ts';
import { renderSpacePage } from '../views/space-frame.ts';
import { renderComments, renderNewComment } from './comments-view.ts';
import { loadThread, loadThreads, SHOWN_IN_PLACE, type ThreadStatus } from './load-threads.ts';
import { backPath, type CommentPlace, commentsPath, threadPath } from './place.ts';
import { commentField, renderThread } from './thread-view.ts';

interface Params {
  readonly spaceId: string;
  readonly changeRequestId?: string;
  readonly commentId: string;
  readonly commentReplyId: string;
}

type Call = InSpace<Params>;

/** In bytes: a comment of the greatest length, percent-encoded. */
const BODY_LIMIT = 256 * 1024;
const MAX_LENGTH = 20_000;

/** Which comments are shown, by the query of any page that has them. */
export function readStatusFilter(query: unknown): ThreadStatus {
  const status = readText(query, 'comments', 10);
  return status === 'resolved' || status === 'all' ? status : 'open';
}

/** The comments of spaces and change requests: their lists, each thread, and all forms. */
export function registerComments(app: FastifyInstance, context: PagesContext): void {
  const form = ownForm(context, BODY_LIMIT);
  for (const base of [
    '/spaces/:spaceId/comments',
    '/spaces/:spaceId/change-requests/:changeRequestId/comments',
  ]) {
    app.get(
      base,
      inSpace<Params>(context, 'comments', (call) => showList(context, call)),
    );
    app.post(
      base,
      form,
      inSpace<Params>(context, 'comments', (call) => create(call)),
    );
    app.get(
      `${base}/:commentId`,
      inSpace<Params>(context, 'comments', (call) => showThread(context, call)),
    );
    app.post(
      `${base}/:commentId/reply`,
      form,
      inSpace<Params>(context, 'comments', (call) => reply(context, call)),
    );
    for (const [part, resolved] of [
      ['resolve', true],
      ['reopen', false],
    ] as const) {
      app.post(
        `${base}/:commentId/${part}`,
        form,
        inSpace<Params>(context, 'comments', (call) => change(call, { resolved })),
      );
    }
    for (const one of [`${base}/:commentId`, `${base}/:commentId/replies/:commentReplyId`]) {
      app.post(`${one}/react`, form, inSpace<Params>(context, 'comments', react));
      app.get(
        `${one}/edit`,
        inSpace<Params>(context, 'comments', (call) => showEdit(call)),
      );
      app.post(`${one}/edit`, form, inSpace<Params>(context, 'comments', edit));
      app.get(`${one}/delete`, inSpace<Params>(context, 'comments', showDelete));
      app.post(`${one}/delete`, form, inSpace<Params>(context, 'comments', remove));
    }
  }
}

function placeOf({ spaceId, changeRequestId }: Params): CommentPlace {
  return { spaceId, changeRequest: changeRequestId ?? null };
}

async function showList(context: PagesContext, call: Call): Promise<string> {
  const { client, params, session, request } = call;
  const place = placeOf(params);
  const status = readStatusFilter(request.query);
  const threads = await loadThreads(client, place, {
    status,
    cursor: readText(request.query, 'from', 2_000),
  });
  return frame(call, {
    main: html`<div class="reading">${renderComments({
      place,
      threads,
      status,
      page: null,
      isWholePage: true,
      blocks: [],
      back: commentsPath(place),
      now: context.now(),
      userId: session.userId,
    })}</div>`,
  });
}

async function showThread(
  context: PagesContext,
  call: Call,
  problem: { readonly sentence: string; readonly entered: string } | null = null,
): Promise<string> {
  const { client, params, session } = call;
  const place = placeOf(params);
  const thread = await loadThread(client, place, params.commentId);
  await markRead(call);
  return frame(call, {
    title: `Comment by ${thread.resource.postedBy.displayName}`,
    main: html`<h1>Comment</h1>
<div class="reading">${renderThread(thread, {
      place,
      back: threadPath(place, params.commentId),
      now: context.now(),
      userId: session.userId,
      level: 2,
      problem,
      namesPage: true,
    })}
<p><a href="${commentsPath(place)}">All comments</a></p></div>`,
  });
}

/** Who opens a thread has seen what they were told of it. */
async function markRead({ client, params }: Call): Promise<void> {
  const { items } = await client.call(operations.listNotifications, { query: { unread: true, limit: 200 } });
  for (const { id, comment } of items) {
    if (comment !== params.commentId) continue;
    await client.call(operations.updateNotification, {
      params: { notificationId: id },
      body: { read: true },
    });
  }
}

async function create(call: Call) {
  const { client, params, request, reply: answer } = call;
  const place = placeOf(params);
  const back = backPath(place, readText(request.body, 'back', 1_000), commentsPath(place));
  const markdown = readText(request.body, 'markdown', MAX_LENGTH + 1);
  const page = readText(request.body, 'page', 100);
  const node = readText(request.body, 'node', 100);
  const body = {
    body: { markdown },
    ...(page === '' ? {} : { page }),
    ...(node === '' ? {} : { node }),
  };
  try {
    const { spaceId, changeRequest } = place;
    const made =
      changeRequest === null
        ? await client.call(operations.createSpaceComment, { params: { spaceId }, body })
        : await client.call(operations.createChangeRequestComment, {
            params: { spaceId, changeRequestId: changeRequest },
            body,
          });
    return answer.redirect(`${back}#docloom-thread-${made.id}`, 303);
  } catch (error) {
    const { sentence, status } = readFormProblem(error, { body: 'The comment', node: 'The block' });
    return answer.code(status).send(
      frame(call, {
        title: 'Comment',
        main: html`<h1>Comment</h1><div class="reading">${renderNewComment({
          place,
          // Where the block is gone, the comment is sent about the page.
          page: page === '' ? null : { id: page, title: '' },
          blocks: [],
          back,
          problem: { sentence, entered: markdown },
        })}<p><a href="${back}">Back</a></p></div>`,
      }),
    );
  }
}

async function reply(context: PagesContext, call: Call) {
  const { client, params, request, reply: answer } = call;
  const place = placeOf(params);
  const markdown = readText(request.body, 'markdown', MAX_LENGTH + 1);
  const body = { body: { markdown } };
  const { spaceId, commentId, changeRequestId } = params;
  try {
    if (changeRequestId === undefined) {
      await client.call(operations.createSpaceCommentReply, { params: { spaceId, commentId }, body });
    } else {
      await client.call(operations.createChangeRequestCommentReply, {
        params: { spaceId, changeRequestId, commentId },
        body,
      });
    }
  } catch (error) {
    const { sentence, status } = readFormProblem(error, { body: 'The reply' });
    const problem = { sentence, entered: markdown };
    return answer.code(status).send(await showThread(context, call, problem));
  }
  return leadBack(call, place, commentId);
}

function leadBack({ request, reply: answer }: Call, place: CommentPlace, commentId: string) {
  const fallback = threadPath(place, commentId);
  const back = backPath(place, readText(request.body, 'back', 1_000), fallback);
  return answer.redirect(`${back}#docloom-thread-${commentId}`, 303);
}

type CommentChange = {
  resolved?: boolean;
  body?: { markdown: string };
  addedReactions?: string[];
  removedReactions?: string[];
};

/** Changes the comment or the reply that the address names. */
async function apply({ client, params }: Call, changes: CommentChange): Promise<void> {
  const { spaceId, changeRequestId, commentId, commentReplyId } = params;
  if (commentReplyId === undefined) {
    if (changeRequestId === undefined) {
      await client.call(operations.updateSpaceComment, { params: { spaceId, commentId }, body: changes });
    } else {
      await client.call(operations.updateChangeRequestComment, {
        params: { spaceId, changeRequestId, commentId },
        body: changes,
      });
    }
    return;
  }
  const { resolved: _, ...body } = changes;
  if (changeRequestId === undefined) {
    await client.call(operations.updateSpaceCommentReply, {
      params: { spaceId, commentId, commentReplyId },
      body,
    });
  } else {
    await client.call(operations.updateChangeRequestCommentReply, {
      params: { spaceId, changeRequestId, commentId, commentReplyId },
      body,
    });
  }
}

async function change(call: Call, changes: CommentChange) {
  await apply(call, changes);
  return leadBack(call, placeOf(call.params), call.params.commentId);
}

async function react(call: Call) {
  const added = readText(call.request.body, 'added', 64);
  const removed = readText(call.request.body, 'removed', 64);
  return await change(call, {
    ...(added === '' ? {} : { addedReactions: [added] }),
    ...(removed === '' ? {} : { removedReactions: [removed] }),
  });
}

/** What the address names, and how to name it. */
async function loadWritten({ client, params }: Call) {
  const { spaceId, changeRequestId, commentId, commentReplyId } = params;
  const query = { format: 'markdown' } as const;
  if (commentReplyId === undefined) {
    return changeRequestId === undefined
      ? await client.call(operations.getSpaceComment, { params: { spaceId, commentId }, query })
      : await client.call(operations.getChangeRequestComment, {
          params: { spaceId, changeRequestId, commentId },
          query,
        });
  }
  return changeRequestId === undefined
    ? await client.call(operations.getSpaceCommentReply, {
        params: { spaceId, commentId, commentReplyId },
        query,
      })
    : await client.call(operations.getChangeRequestCommentReply, {
        params: { spaceId, changeRequestId, commentId, commentReplyId },
        query,
      });
}

function writtenPath({ params }: Call, part: string): string {
  const { commentId, commentReplyId } = params;
  return threadPath(
    placeOf(params),
    commentId,
    commentReplyId === undefined ? part : `replies/${encodeURIComponent(commentReplyId)}/${part}`,
  );
}

async function showEdit(
  call: Call,
  problem: { readonly sentence: string; readonly entered: string } | null = null,
): Promise<string> {
  const { params, request } = call;
  const place = placeOf(params);
  const fallback = threadPath(place, params.commentId);
  const sent = readText(request.query, 'back', 1_000) || readText(request.body, 'back', 1_000);
  const back = backPath(place, sent, fallback);
  const written = await loadWritten(call);
  const what = params.commentReplyId === undefined ? 'comment' : 'reply';
  return frame(call, {
    title: `Edit the ${what}`,
    main: html`<h1>Edit the ${what}</h1>
<div class="reading"><form method="post" action="${writtenPath(call, 'edit')}" class="card">
<input type="hidden" name="back" value="${back}">
${commentField({
  id: 'docloom-edit',
  label: what === 'comment' ? 'Comment' : 'Reply',
  problem: problem ?? { sentence: null, entered: written.body.markdown ?? '' },
})}
<div class="buttons"><button type="submit">Save</button> <a href="${back}">Cancel</a></div>
</form></div>`,
  });
}

async function edit(call: Call) {
  const markdown = readText(call.request.body, 'markdown', MAX_LENGTH + 1);
  try {
    return await change(call, { body: { markdown } });
  } catch (error) {
    const { sentence, status } = readFormProblem(error, { body: 'The text' });
    return call.reply.code(status).send(await showEdit(call, { sentence, entered: markdown }));
  }
}

async function showDelete(call: Call): Promise<string> {
  const { params, request } = call;
  const place = placeOf(params);
  const back = backPath(place, readText(request.query, 'back', 1_000), threadPath(place, params.commentId));
  const written = await loadWritten(call);
  const isReply = written.object === 'comment-reply';
  const replies = isReply ? 0 : written.replies;
  return frame(call, {
    title: `Delete the ${isReply ? 'reply' : 'comment'}`,
    main: html`<h1>Delete the ${isReply ? 'reply' : 'comment'}?</h1>
${renderConfirmation({
  sentence: html`The ${isReply ? 'reply' : 'comment'} by ${written.postedBy.displayName}${replies === 0 ? null : ` and its ${replies === 1 ? 'reply' : `${replies} replies`}`} will be gone for good.`,
  about: html`<blockquote class="quoted"><p>${(written.body.markdown ?? '').slice(0, 500)}</p></blockquote>`,
  action: writtenPath(call, 'delete'),
  button: 'Delete',
  back,
  fields: { back },
})}`,
  });
}

async function remove(call: Call) {
  const { client, params, request, reply: answer } = call;
  const { spaceId, changeRequestId, commentId, commentReplyId } = params;
  const place = placeOf(params);
  if (commentReplyId !== undefined) {
    if (changeRequestId === undefined) {
      await client.call(operations.deleteSpaceCommentReply, {
        params: { spaceId, commentId, commentReplyId },
      });
    } else {
      await client.call(operations.deleteChangeRequestCommentReply, {
        params: { spaceId, changeRequestId, commentId, commentReplyId },
      });
    }
    return leadBack(call, place, commentId);
  }
  if (changeRequestId === undefined) {
    await client.call(operations.deleteSpaceComment, { params: { spaceId, commentId } });
  } else {
    await client.call(operations.deleteChangeRequestComment, {
      params: { spaceId, changeRequestId, commentId },
    });
  }
  const back = backPath(place, readText(request.body, 'back', 1_000), commentsPath(place));
  // The page of the thread is gone with it.
  const isGone = back.startsWith(threadPath(place, commentId));
  return answer.redirect(isGone ? commentsPath(place) : `${back}#docloom-comments`, 303);
}

function frame(
  { frame: ofSpace, params }: Call,
  { title, main }: { readonly title?: string; readonly main: Markup },
): string {
  const { changeRequestId, spaceId } = params;
  return renderSpacePage({
    ...ofSpace,
    tab: 'comments',
    ...(title === undefined ? {} : { title }),
    crumbs: [
      ...(changeRequestId === undefined
        ? []
        : [
            {
              title: `Change request ${changeRequestId}`,
              href: `${spacePath(spaceId)}/change-requests/${encodeURIComponent(changeRequestId)}`,
            },
          ]),
      ...(title === undefined ? [] : [{ title, href: null }]),
    ],
    main,
  });
}

/** The threads of a page. */
export async function loadPageThreads(
  { client, request }: Pick<SignedIn<unknown>, 'client' | 'request'>,
  place: CommentPlace,
  pageId: string,
) {
  return await loadThreads(client, place, {
    status: readStatusFilter(request.query),
    pageId,
    limit: SHOWN_IN_PLACE,
    cursor: readText(request.query, 'from', 2_000),
  });
}
