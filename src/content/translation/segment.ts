/** What stands between a page and its translator: pieces of text, with all that is no text behind numbered marks. */

/** A piece of what an answer is made of, with its place in the file as offsets of UTF-16. */
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

/** One text of a page that is translated as a whole: of a paragraph, a heading, an item, a cell. */
export interface Segment {
  /** `value` is one of the front matter: its place holds the whole value, whatever its notation. */
  readonly kind: 'text' | 'heading' | 'value';
  /** Offsets of UTF-16 in the file; what an answer replaces. */
  readonly start: number;
  readonly end: number;
  /** Of a heading: its line, from 1, its level, and where its text ends in the file. */
  readonly heading?: { readonly line: number; readonly level: number; readonly end: number };
  readonly parts: readonly Part[];
  /**
   * What the translator sees: text with `<g id="1">…</g>` around what is marked and `<x id="2"/>` in place of what is
   * no text (the inline elements of XLIFF, https://docs.oasis-open.org/xliff/v1.2/os/xliff-core.html), `&`, `<` and `>`
   * escaped.
   */
  readonly text: string;
  /** Words that are translated. */
  readonly words: number;
}

export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Numbers the marks of parts in the order in which they stand, from 1. */
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

/** The text that parts hold, without marks. */
export function plainText(parts: readonly Part[]): string {
  return parts
    .map((part) => (part.type === 'text' ? part.text : part.type === 'wrap' ? plainText(part.parts) : ' '))
    .join('');
}

/** Counts words; of scripts that write none apart, every sign. */
export function countWords(text: string): number {
  const signs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;
  const single = text.match(signs)?.length ?? 0;
  return single + (text.replace(signs, ' ').match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu)?.length ?? 0);
}
