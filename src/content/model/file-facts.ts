import type { ComputedSource } from './page.ts';
import type { RepoPath } from './tree-entry.ts';

/**
 * The words of the content engine. A link is a different type at each stage:
 * `Reference` (what a file says) → `Target` (where it points) → `Link` (judged, with its verdict).
 * Everything here is plain JSON, so facts can be kept per blob oid and handed to any other room.
 */

/** A place in a file. Lines and columns start at 1; columns count UTF-16 code units; the end is exclusive. */
export interface Span {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/**
 * How a reference is written. `block` is an argument of a format's own block (`{% include "…" %}`), `attribute` one of
 * a component (`<Card href="…">`), `front-matter` a value above the text, `import` a module that is put into the page,
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

/** What a file says: one link or image, as written. */
export interface Reference extends Span {
  readonly kind: ReferenceKind;
  /** The destination after Markdown (or HTML entity) unescaping, not percent-decoded. */
  readonly target: string;
  /** The text that readers see, without markup; empty for pictures without alternative text. */
  readonly text: string;
  /** For kinds with a name of their own: that of the block, component or front matter key. */
  readonly carrier?: string;
}

/** A place in a page that a fragment can point to. */
export interface Anchor {
  readonly name: string;
  readonly line: number;
  /** The heading's text, or null for an explicit id. */
  readonly heading: string | null;
  /** 1 to 6 for a heading, 0 for an explicit id. */
  readonly level: number;
}

/** All that one blob says about itself, whatever its path and neighbours. */
export interface FileFacts {
  readonly references: readonly Reference[];
  readonly anchors: readonly Anchor[];
  /** Text of the first heading of level 1, or null. */
  readonly title: string | null;
  /** The parsed front matter; empty when there is none or it is not a mapping. */
  readonly frontMatter: Readonly<Record<string, unknown>>;
  /** What was wrong with the file itself (not UTF-8, too large, bad front matter), for people. */
  readonly problems: readonly Problem[];
  /** False when a limit cut the reading short: an anchor that is not in `anchors` may still exist. */
  readonly complete: boolean;
  /** The whole blob as a symbolic link's target; null when it is too long or has more than one line. */
  readonly symlinkTarget: string | null;
  /** The table of contents that a `SUMMARY.md` holds; null for every other file. */
  readonly contents: readonly ContentsEntry[] | null;
  /** How many lines the file has, where it was read as a page with headings. */
  readonly lines?: number;
  /** True when a block of the page makes anchors that only the publisher knows, so that any fragment may be right. */
  readonly opensAnchors?: boolean;
  /** The parts of the text that marks give a name to, for formats that take them in by it; in the order of their ends. */
  readonly regions?: readonly Region[];
  /** The variables that the page's expressions name, for formats that have them. */
  readonly variables?: readonly VariableUse[];
}

/** The lines between two marks, without them. */
export interface Region {
  readonly name: string;
  readonly line: number;
  /** The last one; before `line` where there are none. */
  readonly endLine: number;
}

/** A variable whose value the publisher puts into the text. */
export interface VariableUse {
  /** As written, with where it belongs: `space.vars.version`. */
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
  /** For an item that the publisher makes pages of: from what. */
  readonly computed?: ComputedSource;
  readonly children: readonly ContentsEntry[];
}

export interface Problem {
  readonly message: string;
  readonly line: number | null;
}

/** What is wrong with a file. */
export interface FileProblem extends Problem {
  /** What kind of problem it is, where it has a name. */
  readonly rule?: string;
  readonly file: RepoPath;
}
