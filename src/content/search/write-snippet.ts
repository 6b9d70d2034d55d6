import { foldText } from './search-words.ts';

/** Letters that a snippet holds at most, and those before the first word that was found. */
const LENGTH = 240;
const BEFORE = 60;

/** The part of a text where the first of the words (folded) stands, cut at spaces; its beginning when none does. */
export function writeSnippet(text: string, words: readonly string[]): string {
  if (text.length <= LENGTH) return text;
  const at = findFirst(text, words);
  const start = at <= BEFORE ? 0 : cutAfterSpace(text, at - BEFORE, at);
  const end = start + LENGTH >= text.length ? text.length : cutBeforeSpace(text, start + LENGTH, at);
  const part = text.slice(start, end).toWellFormed().trim();
  return `${start === 0 ? '' : '… '}${part}${end === text.length ? '' : ' …'}`;
}

/** Where the first of the words begins a word of the text, else where one stands at all. */
function findFirst(text: string, words: readonly string[]): number {
  const folded = foldText(text);
  // Folding may change lengths; then places are near enough.
  const scale = text.length / Math.max(1, folded.length);
  const begins: number[] = [];
  const stands: number[] = [];
  for (const word of words) {
    const first = folded.indexOf(word);
    if (word === '' || first === -1) continue;
    stands.push(first);
    for (let at = first, tries = 0; at !== -1 && tries < 100; at = folded.indexOf(word, at + 1), tries += 1) {
      if (at > 0 && /[\p{L}\p{N}]/u.test(folded[at - 1] ?? '')) continue;
      begins.push(at);
      break;
    }
  }
  const found = begins.length > 0 ? begins : stands;
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
