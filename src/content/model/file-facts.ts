import type { ComputedSource } from './page.ts';
import type { RepoPath } from './tree-entry.ts';

/**
 * The data types of the content engine. A link is a different type at each stage:
 * `Reference` (as written in a file) → `Target` (where it points) → `Link` (checked, with its verdict).
 * Everything here is plain JSON, so facts can be stored per blob oid and passed to any other room.
 */

/** A range of text in a file. Lines and columns start at 1; columns count UTF-16 code units; the end is exclusive. */
export interface Span {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/**
 * How a reference is written. `block` is an argument of a format's own block (`{% include "…" %}`), `attribute` an attribute
 * of a component (`<Card href="…">`), `front-matter` a value above the text, `import` a module that is shown in the page,
 * `config` a value of a builder's configuration (an entry of its navigation, where a redirect leads).
 */
export type ReferenceKind =
  | 'link'
  | 'image'
  | 'definition'
  | 'html-link'
  | 'html-image'
  | 'autolink'
  | 'block'
  | 'attribute'
  | 'front-matter'
  | 'import'
  | 'config';

/** One link or image as it is written in a file. */
export interface Reference extends Span {
  readonly kind: ReferenceKind;
  /** The destination after Markdown (or HTML entity) unescaping, not percent-decoded. */
  readonly target: string;
  /** The text that readers see, without markup; empty for pictures without alternative text. */
  readonly text: string;
  /** The name of the block, component or front matter key; absent for kinds without one. */
  readonly carrier?: string;
}

/** A target of a fragment in a page. */
export interface Anchor {
  readonly name: string;
  readonly line: number;
  /** The heading's text, or null for an explicit id. */
  readonly heading: string | null;
  /** 1 to 6 for a heading, 0 for an explicit id. */
  readonly level: number;
}

/** Everything that can be read from one blob, independent of its path and of other files. */
export interface FileFacts {
  readonly references: readonly Reference[];
  readonly anchors: readonly Anchor[];
  /** Text of the first heading of level 1, or null. */
  readonly title: string | null;
  /** The parsed front matter; empty when there is none or it is not a mapping. */
  readonly frontMatter: Readonly<Record<string, unknown>>;
  /** Problems of the file itself (not UTF-8, too large, bad front matter), for people. */
  readonly problems: readonly Problem[];
  /** False when a limit stopped reading: an anchor that is not in `anchors` may still exist. */
  readonly complete: boolean;
  /** The whole blob as a symbolic link's target; null when it is too long or has more than one line. */
  readonly symlinkTarget: string | null;
  /** The table of contents in a `SUMMARY.md`; null for every other file. */
  readonly contents: readonly ContentsEntry[] | null;
  /** The number of lines of the file; absent unless it was read as a page with anchors. */
  readonly lines?: number;
  /** True when a block of the page, or a build in its place, generates anchors that only the publisher knows, so that any fragment may be valid. */
  readonly opensAnchors?: boolean;
  /** Destinations of links that the page also shows as code, as an example of how links are written. */
  readonly examples?: readonly string[];
  /** Paths of Markdown files whose text comments of the page include. */
  readonly includedTexts?: readonly string[];
  /** The parts of the text that markers name, for formats that include parts by name; in the order of their ends. */
  readonly regions?: readonly Region[];
  /** The variables that the page's expressions use, for formats that have them. */
  readonly variables?: readonly VariableUse[];
}

/** The lines between two markers, without the markers. */
export interface Region {
  readonly name: string;
  readonly line: number;
  /** The last line; less than `line` for an empty region. */
  readonly endLine: number;
}

/** A variable whose value the publisher inserts into the text. */
export interface VariableUse {
  /** As written, with its scope: `space.vars.version`. */
  readonly name: string;
  readonly line: number;
}

/** One entry of a `SUMMARY.md`, as written. */
export interface ContentsEntry {
  /** `group` is a heading above a list; `item` is a list item. */
  readonly type: 'group' | 'item';
  readonly title: string;
  /** The destination of the item's link; null for a group or an item without a link. */
  readonly target: string | null;
  /** The link's title attribute, a shorter label for the navigation; absent when there is none. */
  readonly label?: string;
  /** For a group: the explicit id of its heading; absent when there is none. */
  readonly id?: string;
  /** For an item whose pages the publisher generates: their source. */
  readonly computed?: ComputedSource;
  readonly children: readonly ContentsEntry[];
}

export interface Problem {
  readonly message: string;
  readonly line: number | null;
}

/** A problem of a file. */
export interface FileProblem extends Problem {
  /** The kind of the problem; absent for kinds without a name. */
  readonly rule?: string;
  readonly file: RepoPath;
}
