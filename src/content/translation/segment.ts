/** The interface between a page and its translator: pieces of text in which numbered placeholders replace everything else. */

/** A piece of a segment with its position in the file, as offsets in UTF-16 code units. */
export type Part =
  | { readonly type: 'text'; readonly start: number; readonly end: number; readonly text: string }
  | { readonly type: 'atom'; readonly start: number; readonly end: number; readonly raw: string }
  | {
      readonly type: 'wrap';
      readonly start: number;
      readonly end: number;
      readonly open: string;
      readonly close: string;
      readonly parts: readonly Part[];
    };

/** A text of a page that is translated as a whole: of a paragraph, a heading, an item, a cell. */
export interface Segment {
  /** `value` is a value of the front matter: its span is the whole value, whatever its notation. */
  readonly kind: 'text' | 'heading' | 'value';
  /** Offsets in the file, in UTF-16 code units, of what an answer replaces. */
  readonly start: number;
  readonly end: number;
  /** Of a heading: its line, from 1, its level, and the offset of the end of its text in the file. */
  readonly heading?: { readonly line: number; readonly level: number; readonly end: number };
  readonly parts: readonly Part[];
  /**
   * What the translator sees: text with `<g id="1">…</g>` in place of markup around text, and `<x id="2"/>` in place of
   * everything that is not text (the inline elements of XLIFF, https://docs.oasis-open.org/xliff/v1.2/os/xliff-core.html), `&`, `<` and `>`
   * escaped.
   */
  readonly text: string;
  /** The number of words to translate. */
  readonly words: number;
}

export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Writes parts with placeholders that are numbered from 1, in their order. */
export function encodeParts(parts: readonly Part[], next = { id: 1 }): string {
  return parts
    .map((part) => {
      if (part.type === 'text') return escapeText(part.text);
      const id = next.id++;
      if (part.type === 'atom') return `<x id="${id}"/>`;
      return `<g id="${id}">${encodeParts(part.parts, next)}</g>`;
    })
    .join('');
}

/** Returns the text of parts, without placeholders. */
export function plainText(parts: readonly Part[]): string {
  return parts
    .map((part) => (part.type === 'text' ? part.text : part.type === 'wrap' ? plainText(part.parts) : ' '))
    .join('');
}

/** Counts words; in scripts that do not separate them, every character. */
export function countWords(text: string): number {
  const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;
  const single = text.match(unspaced)?.length ?? 0;
  return single + (text.replace(unspaced, ' ').match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu)?.length ?? 0);
}
