import type { FileFacts, ReferenceKind, Region, Span } from '../model/index.ts';
import type { HeadingNamer } from '../text/index.ts';
import type { FrontMatterLink } from './front-matter.ts';
import type { PageNode } from './page-tree.ts';

/** How to read facts from the bytes of a file. Facts are cached per blob and `key`, so equal keys must mean equal facts. */
export interface Reading {
  readonly key: string;
  /** Loads the parser, which is not needed when all facts are cached. */
  load(): Promise<ReadBytes>;
  /** The function itself, for a reading that needs no parser. */
  readonly read?: ReadBytes;
  /** For pages: how they are read, so that they are rendered in the same way. */
  readonly options?: ReadingOptions;
}

/** Never throws: whatever is wrong with the file becomes one of its `problems`. */
export type ReadBytes = (bytes: Uint8Array) => FileFacts;

/** How a format's files differ from plain Markdown as GitHub reads it. All but `key` is optional. */
export interface ReadingOptions {
  /** Identifies these options; `''` is plain Markdown. */
  readonly key: string;
  /** `mdx` also reads components and falls back to Markdown for text that is not valid MDX. */
  readonly syntax?: 'markdown' | 'mdx';
  /** The file is a table of contents. */
  readonly hasContents?: boolean;
  /** Creates the namer of a page's anchors; GitHub's when absent. */
  readonly headings?: () => HeadingNamer;
  /**
   * Called with the text before it is parsed: replaces what is not Markdown (blocks, templates), one code unit for one so
   * that positions stay correct, and may add what it found afterwards.
   */
  readonly prepare?: (source: string) => PreparedSource;
  /** HTML elements besides `h1` to `h6` whose text names an anchor as a heading's does, with level 0. */
  readonly headingElements?: readonly string[];
  /** Called for every node of `PageNode`'s types, parents before their children. */
  readonly enter?: (node: PageNode, page: PageRecorder) => void;
  /** Returns the carrier of a link that the text directly after it gives another meaning; null for other links. */
  readonly carrierOfLink?: (textAfter: string) => string | null;
  /**
   * Called for every HTML tag (its name in lower case) and every component of MDX. The value of an attribute that is an
   * expression is its text with the braces.
   */
  readonly tag?: (
    name: string,
    attributes: ReadonlyMap<string, string>,
    span: Span,
    page: PageRecorder,
  ) => void;
  /** True when `tag` reads the files of `video`, `audio` and similar elements itself. */
  readonly ownsMedia?: boolean;
  /** Returns the links in front matter. */
  readonly frontMatterLinks?: (values: FileFacts['frontMatter']) => readonly FrontMatterLink[];
}

export interface PreparedSource {
  readonly source: string;
  readonly after?: (page: PageRecorder) => void;
  /** The text of a heading as the title of the page; empty for one that cannot be it. All text is when absent. */
  readonly titleOf?: (text: string, line: number) => string;
}

/** Adds to the facts of the page that is being read. */
export interface PageRecorder {
  addReference(
    kind: ReferenceKind,
    target: string,
    span: Span,
    more?: { readonly text?: string; readonly carrier?: string },
  ): void;
  /** Adds an anchor without a heading, as written. */
  addAnchor(name: string, line: number): void;
  /** Adds an anchor that is named as headings are, such as a tab's title. */
  addHeading(text: string, level: number, line: number): void;
  /** See `FileFacts.variables`. */
  addVariable(name: string, line: number): void;
  /** See `FileFacts.regions`. */
  addRegion(region: Region): void;
  /** See `FileFacts.opensAnchors`. */
  openAnchors(): void;
}
