import type { RepoPath, RepositoryAddress } from '../../model/index.ts';
import type { PageAnchorsOf } from './vitepress-anchors.ts';
import type { VitepressSite } from './vitepress-site.ts';

/** What the rules need to know of a site and its pages. */
export interface VitepressPages {
  readonly site: VitepressSite;
  /** Files that are published as pages. */
  readonly pages: { has(path: RepoPath): boolean };
  /** The pages from which others are generated with data that is not known (`[id].md`). */
  readonly dynamicPages: readonly RepoPath[];
  /** A page that is generated with known data, as if it were a file → the page from which it is generated. */
  readonly generatedFrom: ReadonlyMap<RepoPath, RepoPath>;
  /** The path at which a rewrite publishes a page, both below the source folder; null when no rewrite applies. */
  rewrittenTo(path: string): string | null;
  /** The page that a rewrite publishes at a path; the inverse of `rewrittenTo`. */
  rewrittenFrom(path: string): string | null;
  readonly anchors: PageAnchorsOf;
  /** Whether the site's host redirects an address. */
  isRedirected(address: string): boolean;
  readonly repository: RepositoryAddress | undefined;
}

/** What the links of a file are relative to. */
export type LinkOrigin =
  | { readonly kind: 'page' }
  /** A part of another page: relative to its own folder in newer releases of VitePress, to the page's in older ones. */
  | { readonly kind: 'part'; readonly of: RepoPath }
  /** A text that code of the site shows on unknown pages. */
  | { readonly kind: 'loose' };
