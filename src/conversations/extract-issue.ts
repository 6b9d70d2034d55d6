import { readProse } from './read-prose.ts';
import { clip, isQuestion, splitSentences } from './sentences.ts';

/** A message of a conversation, redacted. */
export interface Message {
  readonly role: 'user' | 'assistant' | 'team-member';
  readonly body: string;
}

/** What somebody wanted to know or had trouble with. */
export interface Issue {
  readonly title: string;
  readonly summary: string;
}

const MAX_TITLE = 150;
const MAX_SUMMARY = 500;
/** What is read of all messages of a side, in characters. */
const MAX_READ = 20_000;
/** A sentence that says less is a greeting. */
const MIN_WORDS = 3;

const GREETING =
  /^(?:hi|hey|hello|dear|good (?:morning|afternoon|evening|day)|thanks|thank you|many thanks|best|kind|regards|cheers|greetings|sorry|please help|help)\b/i;

/**
 * The issue of a conversation in its own sentences: its title is the user's first question, else the subject, else the
 * first sentence; its summary what the user says besides.
 */
export function extractIssue(subject: string | null, messages: readonly Message[]): Issue {
  const asked = read(messages.filter(({ role }) => role === 'user'));
  const sentences = asked.length > 0 ? asked : read(messages);
  const telling = sentences.filter((sentence) => !isGreeting(sentence));
  const question = telling.find((sentence) => isQuestion(sentence) && countWords(sentence) >= MIN_WORDS);
  const named = subject === null ? '' : readProse(subject);
  const title = [question, named, telling[0], sentences[0]].find((text) => text !== undefined && text !== '');
  const rest = [...(title === named ? [] : [named]), ...telling].filter(
    (sentence) => sentence !== '' && sentence !== title && countWords(sentence) >= MIN_WORDS,
  );
  const heading = clip(title ?? '', MAX_TITLE) || 'Conversation without text';
  return { title: heading, summary: clip([...new Set(rest)].join(' '), MAX_SUMMARY) || heading };
}

function read(messages: readonly Message[]): readonly string[] {
  const bodies = messages.map(({ body }) => body).join('\n\n');
  return splitSentences(readProse(bodies.slice(0, MAX_READ)));
}

// Its rules find words also where no spaces are between them.
const words = new Intl.Segmenter('en', { granularity: 'word' });

function countWords(sentence: string): number {
  return [...words.segment(sentence)].filter(({ isWordLike }) => isWordLike).length;
}

function isGreeting(sentence: string): boolean {
  return GREETING.test(sentence) && countWords(sentence) <= 5;
}
