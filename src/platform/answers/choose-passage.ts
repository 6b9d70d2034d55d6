import { foldText } from '../../content/search/index.ts';

/** Of a section, in UTF-16 code units: what fits into an answer and still says enough. */
const LENGTH = 700;

/**
 * The part of a section that says most of what was asked, word for word: whole sentences where they are short enough.
 *
 * @param words folded, also by their stems
 */
export function choosePassage(text: string, words: readonly string[]): string {
  if (text.length <= LENGTH) return text.toWellFormed();
  const sentences = splitSentences(text);
  const found = sentences.map((sentence) => wordsIn(sentence, words));
  let best = { from: 0, to: 0, count: -1 };
  for (let from = 0; from < sentences.length; from += 1) {
    const seen = new Set<string>();
    let length = 0;
    for (let to = from; to < sentences.length; to += 1) {
      length += sentences[to]?.length ?? 0;
      if (length > LENGTH && to > from) break;
      for (const word of found[to] ?? []) seen.add(word);
      if (seen.size > best.count) best = { from, to, count: seen.size };
    }
  }
  let { from, to } = best;
  const lengthOf = () => sentences.slice(from, to + 1).join('').length;
  // What follows says more than what stands before.
  while (to + 1 < sentences.length && lengthOf() + (sentences[to + 1]?.length ?? 0) <= LENGTH) to += 1;
  while (from > 0 && lengthOf() + (sentences[from - 1]?.length ?? 0) <= LENGTH) from -= 1;
  const part = sentences
    .slice(from, to + 1)
    .join('')
    .trim()
    .slice(0, LENGTH)
    .toWellFormed();
  const isEnd = to === sentences.length - 1 && lengthOf() <= LENGTH;
  return `${from === 0 ? '' : '… '}${part}${isEnd ? '' : ' …'}`;
}

/** Sentences with the spaces after them; one without an end is cut at spaces. */
function splitSentences(text: string): readonly string[] {
  const sentences: string[] = [];
  let rest = text;
  while (rest !== '') {
    const window = rest.slice(0, LENGTH);
    const end = /[.!?。！？](?=\s)\s*/u.exec(window);
    let length = end === null ? window.length : end.index + end[0].length;
    if (end === null && rest.length > window.length) {
      const space = window.lastIndexOf(' ');
      if (space > 0) length = space + 1;
    }
    sentences.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return sentences;
}

function wordsIn(sentence: string, words: readonly string[]): readonly string[] {
  const folded = ` ${foldText(sentence).replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')}`;
  return words.filter((word) => folded.includes(` ${word}`));
}
