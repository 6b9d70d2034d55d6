import type { Comment } from '../../client/index.ts';
import { pagePath, spacePath } from '../addresses.ts';

/** Where comments are made: in a space, or in one of its change requests. */
export interface CommentPlace {
  readonly spaceId: string;
  /** The number or id of the change request; null in the space itself. */
  readonly changeRequest: string | null;
}

/** The page that lists all comments of a place. */
export function commentsPath({ spaceId, changeRequest }: CommentPlace): string {
  const within = changeRequest === null ? '' : `/change-requests/${encodeURIComponent(changeRequest)}`;
  return `${spacePath(spaceId)}${within}/comments`;
}

/** The page of one thread, and what is done there. */
export function threadPath(place: CommentPlace, commentId: string, part = ''): string {
  return `${commentsPath(place)}/${encodeURIComponent(commentId)}${part === '' ? '' : `/${part}`}`;
}

/** The page that a comment is about, scrolled to its text where the browser can; null where it is about no page. */
export function targetPath(place: CommentPlace, { target }: Pick<Comment, 'target'>): string | null {
  const { page, anchor } = target;
  if (page === undefined || place.changeRequest !== null || anchor?.state === 'page-gone') return null;
  const quote = anchor?.state === 'found' ? anchor.quote : undefined;
  const text = quote === undefined ? '' : `#:~:text=${textFragment(quote)}`;
  return `${pagePath(place.spaceId, page.id)}${text}`;
}

/** The first words of a quote, as a fragment by which browsers find a text. */
function textFragment(quote: string): string {
  const words = quote.replace(/…$/, '').split(' ').slice(0, 8).join(' ');
  // `-` and `,` have meanings of their own there.
  return encodeURIComponent(words).replaceAll('-', '%2D').replaceAll(',', '%2C');
}

/** The address within a space to which a form of it leads back; the fallback for any other text. */
export function backPath(place: CommentPlace, requested: string, fallback: string): string {
  const own = spacePath(place.spaceId);
  const isOwn = requested === own || requested.startsWith(`${own}/`) || requested.startsWith(`${own}?`);
  return isOwn && /^[A-Za-z0-9/_?&=.%~-]*$/.test(requested) ? requested : fallback;
}
