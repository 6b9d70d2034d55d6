// The rules for sentences do not depend on the language of the text.
const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The sentences of a plain text, in order; a line ends one, too. */
export function splitSentences(text: string): readonly string[] {
  return text
    .split('\n')
    .flatMap((line) => [...segmenter.segment(line)].map(({ segment }) => segment.trim()))
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

export function isQuestion(sentence: string): boolean {
  return /[?？؟][)"'»”\s]*$/u.test(sentence);
}

/** The beginning of a text, to the end of a word, with an ellipsis where something is left out. */
export function clip(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= length) return line;
  const start = line.slice(0, length - 1).toWellFormed();
  const word = start.replace(/[\s,;:.–-]*\s\S*$/u, '');
  return `${word.length > length / 2 ? word : start.replace(/\ufffd$/, '')}…`;
}
