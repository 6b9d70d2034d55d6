import { foldText } from './search-words.ts';

/** The maximum length of a snippet, and of the text before the first match, in UTF-16 code units. */
const LENGTH = 240;
const BEFORE = 60;

/** The part of a text around the first of the (folded) words, cut at spaces; the start of the text when none occurs. */
export function writeSnippet(text: string, words: readonly string[]): string {
  if (text.length <= LENGTH) return text;
  const at = findFirst(text, words);
  const start = at <= BEFORE ? 0 : cutAfterSpace(text, at - BEFORE, at);
  const end = start + LENGTH >= text.length ? text.length : cutBeforeSpace(text, start + LENGTH, at);
  const part = text.slice(start, end).toWellFormed().trim();
  return `${start === 0 ? '' : '… '}${part}${end === text.length ? '' : ' …'}`;
}

/** The offset of the first word of the text that starts with one of the words, otherwise of their first occurrence; 0 for none. */
function findFirst(text: string, words: readonly string[]): number {
  const folded = foldText(text);
  // Folding may change the length, so the offset is scaled and approximate.
  const scale = text.length / Math.max(1, folded.length);
  const wordStarts: number[] = [];
  const occurrences: number[] = [];
  for (const word of words) {
    const first = folded.indexOf(word);
    if (word === '' || first === -1) continue;
    occurrences.push(first);
    for (let at = first, tries = 0; at !== -1 && tries < 100; at = folded.indexOf(word, at + 1), tries += 1) {
      if (at > 0 && /[\p{L}\p{N}]/u.test(folded[at - 1] ?? '')) continue;
      wordStarts.push(at);
      break;
    }
  }
  const found = wordStarts.length > 0 ? wordStarts : occurrences;
  return found.length === 0 ? 0 : Math.floor(Math.min(...found) * scale);
}

function cutAfterSpace(text: string, from: number, limit: number): number {
  const space = text.indexOf(' ', from);
  return space === -1 || space >= limit ? from : space + 1;
}

function cutBeforeSpace(text: string, end: number, limit: number): number {
  const space = text.lastIndexOf(' ', end);
  return space <= limit ? end : space;
}
