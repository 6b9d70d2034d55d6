import type { Comment, CommentReply } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { formatMoment } from '../format.ts';
import { field } from '../views/field.ts';
import type { Shown, Thread } from './load-threads.ts';
import { type CommentPlace, targetPath, threadPath } from './place.ts';

/** The emoji that are offered, each with its name for screen readers. */
export const REACTIONS: readonly (readonly [emoji: string, name: string])[] = [
  ['👍', 'thumbs up'],
  ['👎', 'thumbs down'],
  ['🎉', 'celebration'],
  ['❤️', 'heart'],
  ['🚀', 'rocket'],
  ['👀', 'eyes'],
];

export interface ThreadOptions {
  readonly place: CommentPlace;
  /** The address to which its forms lead back. */
  readonly back: string;
  readonly now: Date;
  /** The id of the user who looks at it; null where it is unknown. */
  readonly userId: string | null;
  /** The level of the headings of threads. */
  readonly level: 2 | 3;
  /** What is wrong with the reply that was sent, and what it said. */
  readonly problem?: { readonly sentence: string; readonly entered: string } | null;
  /** Whether to say which page it is about. */
  readonly namesPage: boolean;
  /** Whether it stands below its text, which is not repeated then. */
  readonly isInPlace?: boolean;
}

/** A thread: what it is about, the comment, its replies, and what can be done. Everything works without a script. */
export function renderThread(thread: Thread, options: ThreadOptions): Markup {
  const { resource: comment, replies } = thread;
  const { place } = options;
  const hidden = comment.replies - replies.length;
  const heading = `docloom-thread-${comment.id}-title`;
  const title = html`${authorName(comment)}<span class="visually-hidden"> commented</span>`;
  return html`<article class="thread card${comment.status === 'resolved' ? ' is-resolved' : ''}" id="docloom-thread-${comment.id}" aria-labelledby="${heading}">
${options.isInPlace === true ? null : renderTarget(comment, options)}
<header class="said-by">${options.level === 2 ? html`<h2 id="${heading}">${title}</h2>` : html`<h3 id="${heading}">${title}</h3>`}
${renderFacts(comment, options)}${comment.status === 'resolved' ? renderResolved(comment, options) : null}</header>
${renderText(thread)}
${renderActions(comment, threadPath(place, comment.id), options, 'comment')}
${
  replies.length === 0
    ? null
    : html`<ol class="plain replies" aria-label="Replies">
${replies.map((reply) => renderReply(reply, comment.id, options))}</ol>`
}
${hidden > 0 ? html`<p class="small"><a href="${threadPath(place, comment.id)}">Show ${hidden} more</a></p>` : null}
${comment.permissions.reply === false ? null : renderReplyForm(comment, options)}
</article>
`;
}

function renderTarget(comment: Comment, options: ThreadOptions): Markup | null {
  const { page, anchor } = comment.target;
  if (page === undefined) return null;
  const href = targetPath(options.place, comment);
  const title = page.title ?? page.id;
  const name =
    !options.namesPage && anchor?.state !== 'page-gone'
      ? null
      : html`<p class="small">On ${href === null ? html`<strong>${title}</strong>` : html`<a href="${href}">${title}</a>`}${anchor?.state === 'page-gone' ? html` <span class="state wait">The page is deleted</span>` : null}</p>`;
  if (anchor?.quote === undefined) return name;
  const quote = html`<blockquote class="quoted"><p>${anchor.quote === '' ? 'A picture or another block without text' : anchor.quote}</p></blockquote>`;
  return html`${name}${
    anchor.state === 'text-gone'
      ? html`<p class="small text-gone"><span class="state wait">Text gone</span> The text that this was about is no longer on the page:</p>`
      : null
  }${quote}${
    anchor.state === 'found' && !options.namesPage && href !== null
      ? html`<p class="small"><a href="${href}">Show in the text</a></p>`
      : null
  }`;
}

function renderFacts(comment: Comment, { now }: ThreadOptions): Markup {
  return html`<p class="soft small">${renderWhen(comment, now)}</p>`;
}

/** When it was written, and where else it is. */
function renderWhen({ postedAt, editedAt, mirror }: Comment | CommentReply, now: Date): Markup {
  return html`${formatMoment(postedAt, now)}${editedAt === undefined ? null : ', edited'}${
    mirror === undefined
      ? null
      : html`, <a href="${mirror.url}" rel="noreferrer">${mirror.author === undefined ? 'also on GitHub' : 'from GitHub'}</a>`
  }`;
}

/** Who wrote it: what comes from a pull request has its author's name there. */
function authorName({ postedBy, mirror }: Comment | CommentReply): string {
  return mirror?.author ?? postedBy.displayName;
}

function renderResolved({ resolvedBy, resolvedAt }: Comment, { now }: ThreadOptions): Markup {
  return html`<p class="small"><span class="state good">Resolved</span> by ${resolvedBy?.displayName ?? 'somebody'}${resolvedAt === undefined ? null : html`, ${formatMoment(resolvedAt, now)}`}</p>`;
}

function renderText({ html: text, resource }: Shown<Comment | CommentReply>): Markup {
  if (text !== null) return html`<div class="said content">${text}</div>`;
  return html`<pre class="said" tabindex="0"><code>${resource.body.markdown ?? ''}</code></pre>`;
}

function renderReply(reply: Shown<CommentReply>, commentId: string, options: ThreadOptions): Markup {
  const { resource } = reply;
  return html`<li id="reply-${resource.id}">
<p class="said-by"><strong>${authorName(resource)}</strong> <span class="soft small">${renderWhen(resource, options.now)}</span></p>
${renderText(reply)}
${renderActions(resource, threadPath(options.place, commentId, `replies/${resource.id}`), options, 'reply')}
</li>
`;
}

function renderActions(
  resource: Comment | CommentReply,
  path: string,
  { back, userId }: ThreadOptions,
  what: 'comment' | 'reply',
): Markup {
  const about = `${what} by ${authorName(resource)}`;
  const backField = html`<input type="hidden" name="back" value="${back}">`;
  const isResolved = resource.object === 'comment' && resource.status === 'resolved';
  const query = new URLSearchParams({ back }).toString();
  return html`<div class="said-actions">
${renderReactions(resource, `${path}/react`, { backField, userId, about })}
${
  resource.object === 'comment' && resource.permissions.edit
    ? html`<form method="post" action="${path}/${isResolved ? 'reopen' : 'resolve'}">${backField}<button type="submit" class="quiet">${isResolved ? 'Reopen' : 'Resolve'}<span class="visually-hidden"> the ${about}</span></button></form>`
    : null
}
${
  resource.permissions.edit
    ? html`<a href="${path}/edit?${query}">Edit<span class="visually-hidden"> the ${about}</span></a>`
    : null
}
${
  resource.permissions.delete
    ? html`<a href="${path}/delete?${query}">Delete<span class="visually-hidden"> the ${about}</span></a>`
    : null
}
</div>`;
}

function renderReactions(
  { reactions, permissions }: Comment | CommentReply,
  action: string,
  {
    backField,
    userId,
    about,
  }: { readonly backField: Markup; readonly userId: string | null; readonly about: string },
): Markup | null {
  const names = new Map(REACTIONS);
  const isOwn = (emoji: string) =>
    reactions.some((one) => one.emoji === emoji && one.users.some(({ user }) => user.id === userId));
  const given = reactions.map(({ emoji, count, users }) => {
    const own = isOwn(emoji);
    const who = users.map(({ user }) => user.displayName).join(', ');
    const words = `${names.get(emoji) ?? emoji}, by ${who}: ${own ? 'take back' : 'add yours'}`;
    return html`<button type="submit" class="reaction${own ? ' own' : ''}" name="${own ? 'removed' : 'added'}" value="${emoji}" title="${who}"><span aria-hidden="true">${emoji} ${count}</span><span class="visually-hidden">${count} ${words}</span></button>`;
  });
  if (permissions.reply === false) return null;
  const others = REACTIONS.filter(([emoji]) => !reactions.some((one) => one.emoji === emoji));
  return html`<form method="post" action="${action}" class="reactions">${backField}${given}
<details><summary>React<span class="visually-hidden"> to the ${about}</span></summary><span class="reaction-choice">${others.map(([emoji, name]) => html`<button type="submit" class="reaction" name="added" value="${emoji}"><span aria-hidden="true">${emoji}</span><span class="visually-hidden">${name}</span></button>`)}</span></details></form>`;
}

function renderReplyForm(comment: Comment, { place, back, problem = null }: ThreadOptions): Markup {
  const { id } = comment;
  return html`<details class="reply-form"${problem === null ? null : html` open`}><summary>Reply<span class="visually-hidden"> to ${authorName(comment)}</span></summary>
<form method="post" action="${threadPath(place, id, 'reply')}">
<input type="hidden" name="back" value="${back}">
${commentField({ id: `docloom-reply-${id}`, label: 'Your reply', problem })}
<button type="submit">Reply</button>
</form></details>`;
}

/** The field for the text of a comment. */
export function commentField({
  id,
  label,
  isOptional = false,
  problem = null,
}: {
  readonly id: string;
  readonly label: string;
  readonly isOptional?: boolean;
  readonly problem?: { readonly sentence: string | null; readonly entered: string } | null;
}): Markup {
  const sentence = problem?.sentence ?? null;
  // A parser drops the first line break of a textarea.
  return field(
    {
      id,
      label: html`${label}${isOptional ? html` <span class="soft">(optional)</span>` : null}`,
      hint: html`Markdown. <code>@</code> and a name mentions a member.`,
      problem: sentence,
    },
    (attributes) =>
      html`<textarea id="${id}" name="markdown" rows="4"${isOptional ? null : html` required`} maxlength="20000"${attributes}>
${problem?.entered ?? ''}</textarea>`,
  );
}
