import Type from 'typebox';
import { clip, type Issue, type Message, readProse, redactText } from '../../conversations/index.ts';
import { readCheckedTexts, saysWhatTextsSay } from '../models/check-sentences.ts';
import type { GuidedModel } from '../models/find-model.ts';
import { withGuidance } from '../models/read-guidance.ts';

/** Of all messages together, in UTF-16 code units. */
const MAX_SENT = 12_000;
/** A shorter quotation proves nothing, unless it is the whole message. */
const MIN_QUOTE = 10;

const line = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description });

const Extracted = Type.Object(
  {
    issues: Type.Array(
      Type.Object(
        {
          title: line(150, 'One line of plain text: a question where the user asks one.'),
          summary: line(500, 'One to three sentences of plain text.'),
          quotes: Type.Array(line(300, 'A part of a message, word for word.'), { minItems: 1, maxItems: 3 }),
        },
        { additionalProperties: false },
      ),
      { maxItems: 5 },
    ),
  },
  { additionalProperties: false },
);

const INSTRUCTIONS = [
  'Find what the user of a product wanted to know, or had trouble with, in one conversation with a support team or an assistant. Mostly it is one issue; name more only where they are about different things.',
  'Use the words of the conversation and its language, and nothing else that you know. Quote for each issue what the user says about it, word for word. Write no links, no addresses, no names of people and no markup.',
  'If there is no issue, answer with an empty list.',
].join('\n');

/** An issue with the parts of the conversation that it rests on. */
export interface QuotedIssue extends Issue {
  readonly quotes: readonly string[];
}

/**
 * The issues of a conversation as a model names them. Null when there are none, or when any says or quotes what the
 * conversation does not.
 *
 * @throws {ModelRefusal} as the model does
 */
export async function extractByModel(
  { model, organizationId, guidance }: GuidedModel,
  { subject, messages }: { readonly subject: string | null; readonly messages: readonly Message[] },
  { signal }: { readonly signal: AbortSignal },
): Promise<readonly QuotedIssue[] | null> {
  const named = subject === null ? '' : oneLine(readProse(subject));
  const said = readMessages(messages);
  if (said.length === 0) return null;
  const { issues } = await model.complete({
    organizationId,
    purpose: 'conversations',
    leavesShare: true,
    instructions: withGuidance(INSTRUCTIONS, guidance),
    data: { subject: named, messages: said },
    answer: Extracted,
    signal,
  });
  const quotable = said.some(({ role }) => role === 'user')
    ? said.filter(({ role }) => role === 'user')
    : said;
  const texts = quotable.map(({ text }) => text);
  const checked = readCheckedTexts([named, ...said.map(({ text }) => text)]);
  const isQuote = (quote: string) =>
    texts.some((text) => text.includes(quote) && (quote.length >= MIN_QUOTE || quote === text));
  const read = issues.map(({ title, summary, quotes }) => ({
    title: plain(title, 150),
    summary: plain(summary, 500),
    quotes: [...new Set(quotes.map(oneLine))],
    isTrue:
      saysWhatTextsSay(title, checked) &&
      saysWhatTextsSay(summary, checked) &&
      quotes.every((quote) => isQuote(oneLine(quote))),
  }));
  if (
    read.length === 0 ||
    !read.every(({ title, summary, isTrue }) => isTrue && title !== '' && summary !== '')
  )
    return null;
  const different = new Map(read.map(({ isTrue: _isTrue, ...issue }) => [issue.title.toLowerCase(), issue]));
  return [...different.values()];
}

/** What was said, as plain text on one line each, as much as is sent. */
function readMessages(messages: readonly Message[]): readonly { role: Message['role']; text: string }[] {
  const read: { role: Message['role']; text: string }[] = [];
  let left = MAX_SENT;
  for (const { role, body } of messages) {
    const text = oneLine(readProse(body.slice(0, 2 * MAX_SENT)))
      .slice(0, left)
      .toWellFormed();
    if (text !== '') read.push({ role, text });
    left -= text.length;
    if (left <= 0) break;
  }
  return read;
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

const plain = (text: string, length: number) => redactText(clip(readProse(text), length));
