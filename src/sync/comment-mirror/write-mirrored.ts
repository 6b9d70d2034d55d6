import { createHash } from 'node:crypto';
import type { Comment, CommentReply } from '../../client/index.ts';
import { harmlessMarkdown, markdown } from '../../github/index.ts';

const { BODY_LIMIT, comment: hidden, link, paragraph, short, strong, text, writeMarkdown } = markdown;

/** The longest text of a comment here. */
const MAX_LOCAL = 20_000;

/** How much of a comment stands where it is written: on the line, on its file, or below all changes. */
export type Placement = 'line' | 'file' | 'conversation';

/** Marks a copy on GitHub with what it is a copy of, so that it is found again whatever happened after it was posted. */
const MARK = /^<!-- docloom: (comment|reply) ([A-Za-z0-9_-]{1,64}) -->/;

export interface Mark {
  readonly kind: 'comment' | 'reply';
  readonly id: string;
}

export function readMark(body: string): Mark | null {
  const [, kind, id = ''] = MARK.exec(body) ?? [];
  return kind === undefined ? null : { kind: kind as Mark['kind'], id };
}

/** The text of the copy of a comment or reply on GitHub. It notifies nobody whom it names. */
export function writeRemote(
  said: Comment | CommentReply,
  { placement, replyTo }: { readonly placement: Placement; readonly replyTo?: Comment },
): string {
  const isReply = said.object === 'comment-reply';
  const target = said.object === 'comment' ? said.target : undefined;
  const quote = placement === 'line' ? undefined : target?.anchor?.quote;
  const about = placement === 'line' ? undefined : target?.page?.title;
  const said_ = isReply ? 'replied' : 'commented';
  return writeMarkdown([
    hidden(`docloom: ${isReply ? 'reply' : 'comment'} ${said.id}`),
    paragraph([
      strong(short(said.postedBy.displayName)),
      text(` ${said_} `),
      link('in Docloom', said.urls.app),
      ...(about === undefined ? [] : [text(' on the page '), strong(short(about))]),
      ...(replyTo === undefined
        ? []
        : [
            text(' to '),
            link(`a comment by ${short(authorOf(replyTo))}`, replyTo.mirror?.url ?? replyTo.urls.app),
          ]),
      text(':'),
    ]),
    ...(quote === undefined || quote === ''
      ? []
      : [{ type: 'blockquote' as const, children: [paragraph([text(quote)])] }]),
    ...harmlessMarkdown(said.body.markdown ?? ''),
    ...(said.object === 'comment' && said.status === 'resolved'
      ? [paragraph([{ type: 'emphasis', children: [text('Resolved in Docloom.')] }])]
      : []),
  ]).slice(0, BODY_LIMIT);
}

function authorOf({ mirror, postedBy }: Comment | CommentReply): string {
  return mirror?.author ?? postedBy.displayName;
}

/** The text of the copy here of what somebody wrote on GitHub. It mentions no member. */
export function writeLocal(body: string, intro: string | null = null): string {
  const written = writeMarkdown([
    ...(intro === null ? [] : [paragraph(markdown.prose(intro))]),
    ...harmlessMarkdown(body.slice(0, MAX_LOCAL)),
  ]).trim();
  const whole = written === '' ? 'An empty comment.' : written;
  return whole.length <= MAX_LOCAL ? whole : `${whole.slice(0, MAX_LOCAL - 1)}…`;
}

export function digestOfText(body: string): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, 22);
}
