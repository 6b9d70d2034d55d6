import type { Reading } from '../parse/index.ts';
import type { BlockList } from './block-list.ts';
import type { FindIncludes } from './include.ts';

/**
 * How one way to write Markdown is shown: what a builder knows beyond GitHub's dialect. The names of headings and the
 * syntax come from the reading that the link check uses, so what is shown and what was judged cannot differ.
 */
export interface Dialect {
  readonly reading: Reading;
  /** The reading's `prepare` makes Markdown that can be shown, rather than taking out what is none. */
  readonly isPrepared?: boolean;
  /** `strict` takes `$x$` for mathematics where no spaces stand inside the signs, `double` only `$$x$$`. */
  readonly math: 'strict' | 'double';
  /** `term` and below it `: definition`. */
  readonly hasDefinitionLists?: boolean;
  /** `{#id .class}` names and dresses what it stands behind, and is no text. */
  readonly hasAttributeLists?: boolean;
  /** Writes the builder's own blocks as markers that `expandBlocks` knows, each line's quote marks and indent kept. */
  readonly expand?: (source: string, blocks: BlockList) => string;
  /** Where the builder puts other files into a text; it does not where this is left out. */
  readonly findIncludes?: FindIncludes;
  /** Relative links of a file that is put in start at its own folder, not at that of the page. */
  readonly movesLinks?: boolean;
  /** Parts of a block whose text names an anchor as a heading's does, after all headings. */
  readonly named?: 'tab-title' | 'term';
  /** What the builder calls a footnote or the place of its mark, by the id that they have here: `fn-x`, `fnref-x`, `fnref-x-2`. */
  readonly footnoteIds?: (id: string) => readonly string[];
}

/** The dialect of a reading's key; null for a key that the format does not know. */
export type FindDialect = (key: string) => Dialect | null;
