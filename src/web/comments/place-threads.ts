import { fillBlockPlaces } from '../../content/render/index.ts';
import { html, type Markup, sanitised } from '../../markup/index.ts';
import { readText } from '../routes/read-text.ts';
import type { Thread } from './load-threads.ts';
import { type CommentPlace, commentsPath } from './place.ts';
import { commentField, renderThread, type ThreadOptions } from './thread-view.ts';

/** A page whose blocks are commented on where they stand. */
export interface CommentedBlocks extends Pick<ThreadOptions, 'place' | 'back' | 'now' | 'userId'> {
  readonly pageId: string;
  readonly threads: readonly Thread[];
  /** The block that a comment is being written about. */
  readonly chosen: ChosenBlock;
  /** Whether the text was generated: threads stand in it, and nothing new does. */
  readonly isGenerated?: boolean;
}

/** A block of one of the pages that are shown; empty texts name none. */
export interface ChosenBlock {
  readonly pageId: string;
  readonly node: string;
}

/** Which block the address of a page chooses. */
export function readChosen(query: unknown): ChosenBlock {
  return { pageId: readText(query, 'on', 100), node: readText(query, 'node', 100) };
}

export interface PlacedThreads {
  readonly content: Markup;
  /** The threads that stand beside no block. */
  readonly others: readonly Thread[];
}

/** Shows threads in a rendered page below the blocks that they are about, and at each block the way to a new one. */
export function placeThreads(rendered: string, page: CommentedBlocks): PlacedThreads {
  const byNode = Map.groupBy(
    page.threads.filter(({ resource: { target } }) => target.page?.id === page.pageId),
    ({ resource: { target } }) => target.node?.id ?? '',
  );
  const chosen = page.chosen.pageId === page.pageId ? page.chosen.node : null;
  const placed = new Set<Thread>();
  const content = fillBlockPlaces(rendered, ({ own, keys, text }) => {
    const threads = keys.flatMap((key) => byNode.get(key) ?? []);
    for (const thread of threads) placed.add(thread);
    const mayAdd = own !== null && text !== '' && page.isGenerated !== true;
    if (threads.length === 0 && !mayAdd) return '';
    return html`<div class="block-comments" data-page="${page.pageId}">${mayAdd ? renderWay(page, own, text) : null}${threads.map(
      (thread) => renderThread(thread, { ...page, level: 3, namesPage: false, isInPlace: true }),
    )}${mayAdd && own === chosen ? renderCommentHere(page, own) : null}</div>`.text;
  });
  return { content: sanitised(content), others: page.threads.filter((thread) => !placed.has(thread)) };
}

/** A link to the form, which a script opens without leaving. */
function renderWay({ back, pageId }: CommentedBlocks, key: string, text: string): Markup {
  const query = new URLSearchParams({ on: pageId, node: key }).toString();
  return html`<a class="comment-here" href="${back}?${query}#docloom-comment-here" data-node="${key}" rel="nofollow">Comment<span class="visually-hidden"> on “${text}”</span></a>`;
}

/** The form for a comment on one block. */
function renderCommentHere(
  { place, pageId, back }: Pick<CommentedBlocks, 'place' | 'pageId' | 'back'>,
  key: string,
): Markup {
  return html`<form method="post" action="${commentsPath(place)}" class="card comment-form" id="docloom-comment-here">
<input type="hidden" name="back" value="${back}"><input type="hidden" name="page" value="${pageId}"><input type="hidden" name="node" value="${key}">
${commentField({ id: 'docloom-comment-text', label: 'Your comment on this block' })}
<div class="buttons"><button type="submit">Comment</button> <a href="${back}" class="comment-cancel">Cancel</a></div>
</form>`;
}

/** The form that the script puts beside a block. */
export function renderCommentTemplate(place: CommentPlace, back: string): Markup {
  return html`<template id="docloom-comment-template">${renderCommentHere({ place, pageId: '', back }, '')}</template>`;
}

/** The threads of a page that stand beside none of its blocks, with the form for a comment on the page as a whole. */
export function renderOtherThreads(page: CommentedBlocks, others: readonly Thread[]): Markup {
  const { place, pageId, back } = page;
  return html`<div class="page-comments">
${others.map((thread) => renderThread(thread, { ...page, level: 3, namesPage: false }))}
<details class="reply-form"><summary>Comment on the whole page</summary>
<form method="post" action="${commentsPath(place)}">
<input type="hidden" name="back" value="${back}"><input type="hidden" name="page" value="${pageId}">
${commentField({ id: `docloom-comment-on-${pageId}`, label: 'Your comment on the page' })}
<button type="submit">Comment</button>
</form></details></div>`;
}
