import type { LinkRules } from '../../format-port/index.ts';
import type { RepoPath, RepositoryAddress } from '../../model/index.ts';
import type { TreeIndex } from '../../tree/index.ts';
import type { FactsOfPage } from './gitbook-anchors.ts';
import type { PublishedSpace } from './gitbook-pages.ts';

/** What the rules of a space's pages need to know of the repository. */
export interface GitbookContext {
  readonly index: TreeIndex;
  readonly repository: RepositoryAddress | undefined;
  readonly space: PublishedSpace;
  /** The repository's other spaces. */
  readonly siblings: () => readonly PublishedSpace[];
  /** Ids of spaces in the app → the spaces of the repository. */
  readonly inferred: () => ReadonlyMap<string, PublishedSpace>;
  readonly factsOfPage: FactsOfPage;
  /** Whether a folder contains pages, at any depth, and besides them only pictures. */
  readonly containsOnlyPages: (folder: RepoPath) => boolean;
  /** Whether a file that only GitBook reads shows that it publishes the space. */
  readonly isCertain: boolean;
  /** Whether HonKit, or GitBook’s older program, builds the space: it also copies files that the table of contents does not list. */
  readonly copiesFiles: boolean;
  /** The rules of the repository's host, for addresses of files there. */
  readonly github: LinkRules;
}
