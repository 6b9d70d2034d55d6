import { indexText } from '../../content/search/index.ts';

/** How many of the telling words of a sentence the sections that it cites must have. */
const MIN_SHARED = 0.6;
/** Shorter words say little, and have other forms in most languages. */
const MIN_LENGTH = 4;
/** Forms of a word begin alike: so many letters are compared. */
const STEM = 5;

/** What no sentence may have, not even where a page has it: an address, or markup by which one could be written. */
const ADDRESS = /[a-z][a-z\d+.-]*:\/\/|www\.|\]\(|<\/?[a-z]|(?:javascript|data|mailto):|\S@\S/i;
/** Names of hosts and files, which a page must have. */
const DOTTED = /[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+/gu;

/**
 * Whether each sentence says what the texts say that it cites: it cites given ones, most of its words are there, and so are
 * all numbers and names with dots in it. No sentence has an address.
 */
export function checkSentences(
  sentences: readonly { readonly text: string; readonly cites: readonly number[] }[],
  texts: readonly string[],
): boolean {
  return sentences.every(({ text, cites }) => {
    const cited = cites.map((at) => texts[at]);
    if (cites.length === 0 || cited.some((one) => one === undefined)) return false;
    const source = cited.join('\n');
    if (ADDRESS.test(text)) return false;
    if (!(text.match(DOTTED) ?? []).every((name) => source.includes(name))) return false;
    const said = new Set(indexText(source).split(' '));
    const stems = new Set([...said].map(stemOf));
    const words = indexText(text)
      .split(' ')
      .filter((word) => word !== '');
    if (!words.filter((word) => /\d/.test(word)).every((word) => said.has(word))) return false;
    const telling = words.filter((word) => [...word].length >= MIN_LENGTH);
    const shared = telling.filter((word) => stems.has(stemOf(word)));
    return telling.length > 0 && shared.length >= MIN_SHARED * telling.length;
  });
}

function stemOf(word: string): string {
  return [...word].slice(0, STEM).join('');
}
