import { createHash } from 'node:crypto';
import type { RootContent } from 'mdast';
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
  const intro = [
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
  ];
  const end =
    said.object === 'comment' && said.status === 'resolved'
      ? [paragraph([{ type: 'emphasis', children: [text('Resolved in Docloom.')] }])]
      : [];
  return writeWithin(BODY_LIMIT, said.body.markdown ?? '', (body) => [...intro, ...body, ...end]);
}

function authorOf({ mirror, postedBy }: Comment | CommentReply): string {
  return mirror?.author ?? postedBy.displayName;
}

/** The text of the copy here of what somebody wrote on GitHub. It mentions no member. */
export function writeLocal(body: string, intro: string | null = null): string {
  const above = intro === null ? [] : [paragraph(markdown.prose(intro))];
  return writeWithin(MAX_LOCAL, body, (below) => [...above, ...below]).trim() || 'An empty comment.';
}

/**
 * A text around what somebody wrote, with as much of that as fits. It is cut before it is made harmless: half of what was
 * escaped, or of what was in code, can be a mention.
 */
function writeWithin(
  limit: number,
  body: string,
  around: (body: readonly RootContent[]) => readonly RootContent[],
): string {
  for (let length = limit; ; length = Math.floor(length / 2)) {
    const cut = body.length <= length ? body : `${body.slice(0, length).toWellFormed()}…`;
    const written = writeMarkdown(around(harmlessMarkdown(cut)));
    if (written.length <= limit || length === 0) return written;
  }
}

export function digestOfText(body: string): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, 22);
}
