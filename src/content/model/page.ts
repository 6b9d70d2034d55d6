import type { Oid, RepoPath } from './tree-entry.ts';

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
