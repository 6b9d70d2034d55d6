import type { RepoPath, RepositoryAddress } from '../../model/index.ts';
import type { PageAnchorsOf } from './vitepress-anchors.ts';
import type { VitepressSite } from './vitepress-site.ts';

/** A site whose pages are known. */
export interface VitepressPages {
  readonly site: VitepressSite;
  /** Files that are published as pages. */
  readonly pages: { has(path: RepoPath): boolean };
  /** Those of them from which data that only the site knows makes pages (`[id].md`). */
  readonly dynamicPages: readonly RepoPath[];
  /** A page that known data makes, as if it were a file → the page that it is made from. */
  readonly madeFrom: ReadonlyMap<RepoPath, RepoPath>;
  /** Where a page is published that the configuration puts elsewhere, both by paths below the source folder; else null. */
  movedTo(path: string): string | null;
  /** The other way round. */
  movedFrom(path: string): string | null;
  readonly anchors: PageAnchorsOf;
  /** What the host does with addresses that the site does not have. */
  isRedirected(address: string): boolean;
  readonly repository: RepositoryAddress | undefined;
}

/** Where the links of a file are relative to. */
export type LinkOrigin =
  | { readonly kind: 'page' }
  /** A part of another page: relative to its own folder in newer releases, to the page's in older ones. */
  | { readonly kind: 'part'; readonly of: RepoPath }
  /** Shown somewhere by code of the site. */
  | { readonly kind: 'loose' };
