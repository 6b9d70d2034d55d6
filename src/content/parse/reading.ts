import type { FileFacts, ReferenceKind, Region, Span } from '../model/index.ts';
import type { HeadingNamer } from '../text/index.ts';
import type { FrontMatterLink } from './front-matter.ts';
import type { PageNode } from './page-tree.ts';

/** One way to read the bytes of a file. Facts are kept per blob and `key`, so equal keys must mean equal answers. */
export interface Reading {
  readonly key: string;
  /** Loads what reads the bytes: where all facts are known already, no parser is. */
  load(): Promise<ReadBytes>;
  /** The same for a reading that needs nothing loaded. */
  readonly read?: ReadBytes;
  /** For pages: how they are read, so that they are shown in the same way. */
  readonly options?: ReadingOptions;
}

/** Never throws: whatever is wrong with the file is one of its `problems`. */
export type ReadBytes = (bytes: Uint8Array) => FileFacts;

/** How a format's files differ from plain Markdown as GitHub reads it. Everything may be left out. */
export interface ReadingOptions {
  /** Names these options; `''` is plain Markdown. */
  readonly key: string;
  /** `mdx` also reads components and falls back to Markdown for text that is no valid MDX. */
  readonly syntax?: 'markdown' | 'mdx';
  /** The file is a table of contents. */
  readonly hasContents?: boolean;
  /** A fresh namer of anchors for each page; GitHub's when left out. */
  readonly headings?: () => HeadingNamer;
  /**
   * Sees the text before it is parsed: takes out what is no Markdown (blocks, templates), one code unit for one so that
   * places stay true, and may add what it found afterwards.
   */
  readonly prepare?: (source: string) => PreparedSource;
  /** HTML elements, besides `h1` to `h6`, whose text names an anchor as a heading's does; as of level 0. */
  readonly headingElements?: readonly string[];
  /** Sees every node of `PageNode`'s types, the children's parents first. */
  readonly enter?: (node: PageNode, page: PageNotes) => void;
  /** The carrier of a link that the text right behind it makes another than Markdown's; null for the others. */
  readonly carrierOfLink?: (textBehind: string) => string | null;
  /**
   * Sees every HTML tag (its name in lower case) and every component of MDX. The value of an attribute that is an
   * expression is its text with the braces.
   */
  readonly tag?: (
    name: string,
    attributes: ReadonlyMap<string, string>,
    place: Span,
    page: PageNotes,
  ) => void;
  /** True when `tag` reads the files of `video`, `audio` and their kin itself. */
  readonly ownsMedia?: boolean;
  /** The links that front matter holds. */
  readonly frontMatterLinks?: (values: FileFacts['frontMatter']) => readonly FrontMatterLink[];
}

export interface PreparedSource {
  readonly source: string;
  readonly after?: (page: PageNotes) => void;
}

/** What a format may note about the page that is being read. */
export interface PageNotes {
  addReference(
    kind: ReferenceKind,
    target: string,
    place: Span,
    more?: { readonly text?: string; readonly carrier?: string },
  ): void;
  /** An anchor without a heading, as written. */
  addAnchor(name: string, line: number): void;
  /** An anchor that is named as headings are, such as a tab's title. */
  addHeading(text: string, level: number, line: number): void;
  /** See `FileFacts.variables`. */
  addVariable(name: string, line: number): void;
  /** See `FileFacts.regions`. */
  addRegion(region: Region): void;
  /** See `FileFacts.opensAnchors`. */
  openAnchors(): void;
}
