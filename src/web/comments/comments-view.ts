import { html, type Markup } from '../../markup/index.ts';
import { selectInput } from '../views/select-input.ts';
import type { ThreadStatus, Threads } from './load-threads.ts';
import { commentsPath } from './place.ts';
import { commentField, renderThread, type ThreadOptions } from './thread-view.ts';

/** A block of a page that a comment can be about. */
export interface BlockChoice {
  readonly key: string;
  /** What it is and how it begins. */
  readonly label: string;
}

export interface CommentsOptions extends Omit<ThreadOptions, 'level' | 'namesPage' | 'problem'> {
  readonly threads: Threads;
  /** How many more stand beside their text. */
  readonly inPlace?: number;
  readonly status: ThreadStatus;
  /** The page that they are about; null for all comments of the place. */
  readonly page: { readonly id: string; readonly title: string } | null;
  readonly blocks: readonly BlockChoice[];
  /** The block that is chosen at first. */
  readonly chosen?: string | null;
  /** Whether they are all that the page shows, so that their heading is the page's. */
  readonly isWholePage?: boolean;
  /** What is wrong with the comment that was sent, and what it said. */
  readonly problem?: { readonly sentence: string; readonly entered: string } | null;
}

const STATUSES: readonly (readonly [ThreadStatus, string])[] = [
  ['open', 'Open'],
  ['resolved', 'Resolved'],
  ['all', 'All'],
];

/**
 * The comments on a page, a space or a change request, with a filter and the form for a new one. A part of a page: its
 * heading is of level 2, unless they are the whole page.
 */
export function renderComments(options: CommentsOptions): Markup {
  const { threads, status, isWholePage = false, inPlace = 0 } = options;
  const level = isWholePage ? 2 : 3;
  const rest = { ...options, problem: null, level, namesPage: options.page === null } as const;
  const heading = isWholePage
    ? html`<h1 id="docloom-comments-title">Comments</h1>`
    : html`<h2 id="docloom-comments-title">Comments</h2>`;
  return html`<section class="comments" id="docloom-comments" aria-labelledby="docloom-comments-title">
<div class="comments-head">${heading}${renderFilter(options)}</div>
${
  threads.items.length === 0 && inPlace === 0
    ? html`<p class="soft">${status === 'open' ? 'No open comments.' : status === 'resolved' ? 'No resolved comments.' : 'No comments yet.'}</p>`
    : html`${inPlace === 0 ? null : html`<p class="soft">${inPlace === 1 ? '1 comment stands' : `${inPlace} comments stand`} in the text above.</p>`}${threads.items.map((thread) => renderThread(thread, rest))}`
}
${
  threads.next === null
    ? null
    : html`<p class="more"><a href="${addressOf(options, { status, cursor: threads.next })}" rel="next">Older comments</a></p>`
}
${renderNewComment(options)}
</section>`;
}

/** The address of the page that shows the comments, with another filter. */
function addressOf(
  { back }: CommentsOptions,
  { status, cursor }: { readonly status: ThreadStatus; readonly cursor?: string },
): string {
  const [path = ''] = back.split('?');
  const query = new URLSearchParams({
    ...(status === 'open' ? {} : { comments: status }),
    ...(cursor === undefined ? {} : { from: cursor }),
  });
  return `${path}${query.size === 0 ? '' : `?${query}`}#docloom-comments`;
}

function renderFilter(options: CommentsOptions): Markup {
  const { threads, status } = options;
  return html`<nav class="comments-filter" aria-label="Which comments">${STATUSES.map(
    ([value, label]) =>
      html`<a href="${addressOf(options, { status: value })}"${value === status ? html` aria-current="true"` : null}>${label}${value === status ? html` <span class="soft">${threads.count}<span class="visually-hidden"> of them</span></span>` : null}</a> `,
  )}</nav>`;
}

/** The form for a new comment. */
export function renderNewComment({
  place,
  page,
  blocks,
  back,
  chosen = null,
  problem = null,
}: Pick<CommentsOptions, 'place' | 'page' | 'blocks' | 'back' | 'chosen' | 'problem'>): Markup {
  return html`<form method="post" action="${commentsPath(place)}" class="card new-comment">
<input type="hidden" name="back" value="${back}">
${page === null ? null : html`<input type="hidden" name="page" value="${page.id}">`}
${
  blocks.length === 0
    ? null
    : selectInput({
        id: 'docloom-comment-node',
        name: 'node',
        label: 'About',
        options: [
          { value: '', label: 'The whole page' },
          ...blocks.map(({ key, label }) => ({ value: key, label })),
        ],
        selected: chosen,
      })
}
${commentField({ id: 'docloom-comment', label: 'New comment', problem })}
<button type="submit">Comment</button>
</form>`;
}
