import type { Reading } from '../parse/index.ts';
import type { BlockList } from './block-list.ts';
import type { Hero } from './hero.ts';
import type { FindIncludes } from './include.ts';

/**
 * How a dialect of Markdown is rendered: the syntax of a builder beyond GitHub's. The names of headings and the syntax
 * come from the reading that the link check uses, so that rendering and checking agree.
 */
export interface Dialect {
  readonly reading: Reading;
  /** True when the reading's `prepare` returns Markdown to render; otherwise it only removes what is not Markdown. */
  readonly isPrepared?: boolean;
  /** `strict` reads `$x$` as mathematics if there are no spaces inside the dollars, `double` only `$$x$$`. */
  readonly math: 'strict' | 'double';
  /** `term` and below it `: definition`. */
  readonly hasDefinitionLists?: boolean;
  /** `{#id .class}` sets attributes of what precedes it, and is not text. */
  readonly hasAttributeLists?: boolean;
  /** `:tada:` is an emoji. */
  readonly hasEmojiNames?: boolean;
  /** Reads what a home page begins with from the front matter; null on other pages. */
  readonly readHero?: (frontMatter: Readonly<Record<string, unknown>>) => Hero | null;
  /** Writes the builder's own blocks as markers that `expandBlocks` replaces; the quote marks and indent of each line do not change. */
  readonly expand?: (source: string, blocks: BlockList) => string;
  /** Finds where the builder inserts other files; absent when it has no includes. */
  readonly findIncludes?: FindIncludes;
  /** True when relative links of an included file start at its own folder, and not at that of the page. */
  readonly movesLinks?: boolean;
  /** Parts of a block whose text names an anchor as a heading's does, after all headings. */
  readonly named?: 'tab-title' | 'term';
  /** Returns the builder's ids of a footnote or of its reference, by our id: `fn-x`, `fnref-x`, `fnref-x-2`. */
  readonly footnoteIds?: (id: string) => readonly string[];
}

/** Returns the dialect of a reading's key; null for a key that the format does not know. */
export type FindDialect = (key: string) => Dialect | null;
