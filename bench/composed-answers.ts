/** Models that stand in for a real one: each answers as one kind of model would, good or bad, without knowing what is right. */
import type { Model } from '../src/platform/models/open-model.ts';

interface Sent {
  readonly question: string;
  readonly sections: readonly { readonly number: number; readonly text: string }[];
}

interface Sentence {
  readonly text: string;
  readonly sections: readonly number[];
}

const SENTENCES = 3;

const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 3);

/** As models are told: no links, no addresses and no markup. */
const FORBIDDEN = /:\/\/|www\.|[<>]|\]\(|\S@\S/;

/** The sentences that share most words with the question, in the order of the sections. */
function quote({ question, sections }: Sent): readonly Sentence[] {
  const asked = new Set(wordsOf(question).map((word) => word.slice(0, 5)));
  return sections
    .flatMap(({ number, text }) =>
      text.split(/(?<=[.!?])\s+/).map((sentence) => ({
        text: sentence.replace(/^… | …$/g, '').slice(0, 600),
        sections: [number],
        shared: new Set(wordsOf(sentence).map((word) => word.slice(0, 5))).intersection(asked).size,
      })),
    )
    .filter(({ text, shared }) => shared > 0 && !FORBIDDEN.test(text))
    .sort((a, b) => b.shared - a.shared)
    .slice(0, SENTENCES)
    .map(({ text, sections: cited }) => ({ text, sections: cited }));
}

const change = (make: (sentence: Sentence, at: number) => Sentence) => (sent: Sent) => quote(sent).map(make);

const NEGATION = /\b(?:not|never|cannot|without|no)\b ?|n['’]t\b/i;

const OPPOSITES: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'enabled disabled',
    'before after',
    'always never',
    'true false',
    'minimum maximum',
    'more less',
    'first last',
  ]
    .map((pair) => pair.split(' '))
    .flatMap(([one = '', other = '']) => [
      [one, other],
      [other, one],
    ]),
);
const OPPOSITE = new RegExp(`\\b(?:${Object.keys(OPPOSITES).join('|')})\\b`, 'gi');

/** What each stand-in says, by what is wrong with it. */
export const STAND_INS: Readonly<Record<string, (sent: Sent) => readonly Sentence[]>> = {
  'quotes what it cites': quote,
  'puts it into other words': change(({ text, sections }) => ({
    text: `In short: ${text.charAt(0).toLowerCase()}${text.slice(1).replace(/\b(the|a|an|this|that)\b /gi, '')}`.slice(
      0,
      600,
    ),
    sections,
  })),
  'changes a number, or adds one': change(({ text, sections }) => ({
    text: /\d/.test(text)
      ? text.replace(/\d+/, (n) => `${Number(n) + 7341}`)
      : `${text} It takes 7341 seconds.`,
    sections,
  })),
  'says the contrary': (sent) =>
    quote(sent).flatMap(({ text, sections }) => {
      const contrary = NEGATION.test(text)
        ? text.replace(NEGATION, '')
        : text.replace(/\b(is|are|can|will|must|should|has|have|was)\b/i, '$1 not');
      return contrary === text ? [] : [{ text: contrary, sections }];
    }),
  'says the opposite word': (sent) =>
    quote(sent).flatMap(({ text, sections }) => {
      const opposite = text.replace(OPPOSITE, (word) => OPPOSITES[word.toLowerCase()] ?? word);
      return opposite === text ? [] : [{ text: opposite, sections }];
    }),
  'takes another number of the section': (sent) =>
    quote(sent).flatMap(({ text, sections: [number = 1] }) => {
      const numbers =
        sent.sections.find((section) => section.number === number)?.text.match(/\b\d+\b/g) ?? [];
      const swapped = text.replace(
        /\b\d+\b/g,
        (own) => numbers.find((other) => !text.includes(other)) ?? own,
      );
      return swapped === text ? [] : [{ text: swapped, sections: [number] }];
    }),
  'adds what it believes': change(({ text, sections }, at) =>
    at > 0
      ? { text, sections }
      : {
          text: 'Professional astronomers recommend restarting telescopes twice before breakfast, whatever happens.',
          sections,
        },
  ),
  'links elsewhere': change(({ text, sections }) => ({
    text: `${text} See https://elsewhere.example/.`,
    sections,
  })),
  'cites what it was not given': change(({ text }) => ({ text, sections: [17] })),
  'cites another section': (sent) =>
    quote(sent).map(({ text, sections: [number = 1] }) => ({
      text,
      sections: [(number % sent.sections.length) + 1],
    })),
};

/** @param say one of {@link STAND_INS} */
export function standInFor(say: (sent: Sent) => readonly Sentence[]): Model {
  return {
    name: 'stand-in',
    async complete({ data }: { data: unknown }) {
      const sentences = say(data as Sent).filter(({ text }) => text !== '');
      return { answered: sentences.length > 0, sentences };
    },
    async close() {},
  } as unknown as Model;
}
