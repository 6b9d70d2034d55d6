import type { ConversationInput } from '../../client/index.ts';
import { type Question, writeQuestionId } from './question.ts';

const MAX_SUBJECT = 512;
const MAX_ATTRIBUTE = 1_000;
/** Of the question itself, and of each comment, in UTF-16 code units: what is longer is mostly a log. */
const MAX_BODY = 30_000;
const MAX_COMMENT = 10_000;

/** The conversation that an issue or a discussion is. It names nobody: GitHub shows who wrote what. */
export function describeQuestion(question: Question, source: string): ConversationInput {
  const { title, body, url, createdAt, labels, category, comments } = question;
  return {
    id: writeQuestionId(question),
    subject: title.slice(0, MAX_SUBJECT),
    metadata: {
      url,
      createdAt,
      attributes: {
        source,
        labels: labels.join(', ').slice(0, MAX_ATTRIBUTE),
        ...(category === undefined ? {} : { category: category.slice(0, MAX_ATTRIBUTE) }),
      },
    },
    parts: [
      { type: 'message', role: 'user', body: body.slice(0, MAX_BODY) },
      ...comments.map((comment) => ({
        type: 'message' as const,
        role: comment.by,
        body: comment.body.slice(0, MAX_COMMENT),
      })),
    ],
  };
}

/** What conversations of a repository name as their source. */
export function sourceOf(fullName: string): string {
  return `integration:github:${fullName}`;
}
