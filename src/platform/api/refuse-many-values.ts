import { invalid } from './api-error.ts';

/** Shorter texts are parsed in a moment, whatever they have. */
const UNCOUNTED_LENGTH = 256 * 1024;

/** As many are parsed in about a tenth of a second; the largest bodies that are valid have fewer than half of them. */
const MOST_VALUES = 250_000;

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = [...'"\\,[{'].map((letter) => letter.charCodeAt(0));

/**
 * Refuses JSON of more values than any valid body has: parsing it, which cannot be interrupted, takes seconds in which
 * nobody is answered. Skips over strings, so a specification in one of them is looked through in a moment.
 */
export function refuseManyValues(text: string): void {
  if (text.length < UNCOUNTED_LENGTH) return;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA || code === BRACKET || code === BRACE) values += 1;
    if (values > MOST_VALUES) throw invalid('/body', `must have at most ${MOST_VALUES} values`);
  }
}

/** The index of the quotation mark that ends the string, or the end of a text in which it does not end. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}
