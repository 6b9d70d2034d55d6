import type { FormatName } from './format-name.ts';

/**
 * The words of the content engine. A link is a different type at each stage:
 * `Reference` (what a file says) → `Target` (where it points) → `Link` (judged, with its verdict).
 * Everything here is plain JSON, so facts can be kept per blob oid and handed to any other room.
 */

/** A path inside the repository: `/` between segments, no leading slash, byte-exact and case-exact. */
export type RepoPath = string;

/** A git object id of 40 (SHA-1) or 64 (SHA-256) hex digits. */
export type Oid = string;

export type TreeMode = 'file' | 'executable' | 'symlink' | 'submodule';

/** One entry of a repository's whole tree, folders left out. `size` is in bytes, where known. */
export interface TreeEntry {
  readonly path: RepoPath;
  readonly oid: Oid;
  readonly mode: TreeMode;
  readonly size?: number;
}

/** A place in a file. Lines and columns start at 1; columns count UTF-16 code units; the end is exclusive. */
export interface Place {
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
export interface Reference extends Place {
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

/** Where a reference points, before anyone asked whether it is there. */
export type Target =
  | { readonly kind: 'path'; readonly path: RepoPath; readonly anchor: string | null }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'invalid'; readonly rule: Rule; readonly message: string };

export type Status = 'ok' | 'broken' | 'in-app' | 'unchecked';

/** Why a link is broken. */
export type Rule =
  | 'missing-page'
  | 'missing-file'
  | 'missing-anchor'
  | 'case-mismatch'
  | 'unlisted-page'
  | 'outside-space'
  | 'outside-repository'
  | 'broken-marker'
  | 'invalid-url'
  | 'empty-target';

/** What is not broken and still worth a word. */
export type WarningRule =
  | 'works-on-github-only'
  | 'case-only'
  | 'unicode-form'
  | 'editor-link'
  | 'placeholder';

export interface Warning {
  /** A rule where the configuration says that it only warns. */
  readonly rule: WarningRule | Rule;
  /** One sentence for people. */
  readonly message: string;
}

/** A reference resolved and judged. */
export interface Link extends Reference {
  /** The file that holds the reference. */
  readonly file: RepoPath;
  readonly relation: 'reference' | 'dependsOn';
  readonly status: Status;
  /** Set when broken. */
  readonly rule: Rule | null;
  /** One sentence for people; null when ok. */
  readonly message: string | null;
  /** Set when the link leads somewhere and should yet be written otherwise; breaks nothing. */
  readonly warning: Warning | null;
  /** A destination that would be right, written as the author would write it; null unless certain. */
  readonly suggestion: string | null;
  /** The file or folder index page that the link leads to (also when only its anchor is missing). */
  readonly resolved: { readonly path: RepoPath; readonly type: 'page' | 'file' } | null;
  /** The fragment, percent-decoded, without `#`. */
  readonly anchor: string | null;
  /** The path of the repository that the link points at, whether or not anything is there; null when it leaves the tree. */
  readonly destination: RepoPath | null;
}

/** An entry of the navigation. */
export interface Page {
  /** `document` has a file; `group` is a level without a page; `link` leads elsewhere; `computed` is made by the publisher. */
  readonly type: 'document' | 'group' | 'link' | 'computed';
  readonly title: string;
  /** The last segment of `path`. */
  readonly slug: string;
  /** Where the page stands in the published space, without leading slash; the home page's is empty. */
  readonly path: string;
  readonly description: string | null;
  readonly emoji: string | null;
  readonly icon: string | null;
  readonly hidden: boolean;
  readonly file: RepoPath | null;
  readonly oid: Oid | null;
  /** For `link`: where it leads. */
  readonly href: string | null;
  /** What else is said of it; null where nothing is. */
  readonly settings: PageSettings | null;
  readonly pages: readonly Page[];
}

/** How a page is shown and found, as its front matter (or its entry in the navigation) says. */
export interface PageSettings {
  readonly layout?: PageLayout;
  readonly cover?: PageCover;
  /** Left out of the publisher's search. */
  readonly noIndex?: true;
  /** Left out of search engines. */
  readonly noRobotsIndex?: true;
  readonly variables?: Readonly<Record<string, string>>;
  readonly computed?: ComputedSource;
}

/** The parts of a page that are shown or not; the publisher decides about those that are absent. */
export interface PageLayout {
  readonly width?: 'default' | 'wide';
  readonly cover?: boolean;
  readonly coverSize?: 'hero' | 'full';
  readonly title?: boolean;
  readonly description?: boolean;
  readonly tableOfContents?: boolean;
  readonly outline?: boolean;
  readonly pagination?: boolean;
  readonly metadata?: boolean;
}

/** The picture above a page: destinations as written. */
export interface PageCover {
  readonly target: string;
  readonly darkTarget?: string;
  /** In pixels. */
  readonly yPos?: number;
  readonly height?: number;
}

/** What a page that the publisher makes is made from. */
export interface ComputedSource {
  readonly type: string;
  /** By their names. */
  readonly dependencies?: Readonly<Record<string, { readonly kind: string; readonly spec?: string }>>;
  readonly props?: Readonly<Record<string, unknown>>;
}

/** What a space says beside its pages and files. */
export interface SpaceSettings {
  /** Parts of pages that are written once and shown in several. */
  readonly reusable: readonly ReusableFile[];
  readonly variables: Readonly<Record<string, string>>;
  /** Old path in the published space → the file that it leads to now. */
  readonly redirects: ReadonlyMap<string, RepoPath>;
}

export interface ReusableFile {
  readonly path: RepoPath;
  readonly oid: Oid;
  readonly title: string;
}

/** A file of the space that is no page: pictures, downloads. */
export interface Asset {
  readonly path: RepoPath;
  readonly oid: Oid;
  readonly size: number | null;
}

/** The repository on its host, so that links to its own web address count as links into the tree. */
export interface RepositoryAddress {
  /** `owner/name`. */
  readonly fullName: string;
  /** The branch that is read, without `refs/heads/`. */
  readonly branch: string;
  /** The host of the web pages, `github.com` or an enterprise server's. */
  readonly htmlHost: string;
}

/** Everything derived from one tree for one space. */
export interface SpaceAnalysis {
  /** The space's directory below the repository's root, without slashes at the ends; empty for the root. */
  readonly directory: string;
  readonly format: FormatName;
  /** The navigation, nested. */
  readonly pages: readonly Page[];
  readonly assets: readonly Asset[];
  readonly settings: SpaceSettings;
  /** Every reference of every page, by file and place. */
  readonly links: readonly Link[];
  /** The files whose references were judged. */
  readonly files: readonly RepoPath[];
  /** How each of them is written, for whoever shows it: the key of its reading, empty for plain Markdown. */
  readonly dialects: Readonly<Record<RepoPath, string>>;
  readonly problems: readonly FileProblem[];
}

/** A file that git sees under a new path, from the older tree to the newer. */
export interface Rename {
  readonly from: RepoPath;
  readonly to: RepoPath;
}

export type Change = 'introduced' | 'existing' | 'fixed';

/** What a change did to the links: broken links of both trees, each said once. */
export interface Comparison {
  readonly introduced: readonly Link[];
  readonly existing: readonly Link[];
  /** As they stood in the older tree. */
  readonly fixed: readonly Link[];
}
