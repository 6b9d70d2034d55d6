import type { FileFacts, RepoPath, RepositoryAddress } from '../../model.ts';
import type { PublishedPage } from './docusaurus-pages.ts';
import type { SiteRoutes } from './site-routes.ts';

/** A site whose pages are known. */
export interface DocusaurusPages {
  readonly routes: SiteRoutes;
  readonly pageOf: ReadonlyMap<RepoPath, PublishedPage>;
  /** Facts of the Markdown files that a page imports. */
  includedBy(page: RepoPath): readonly FileFacts[];
  hasFile(path: RepoPath): boolean;
  readonly repository: RepositoryAddress | undefined;
}
