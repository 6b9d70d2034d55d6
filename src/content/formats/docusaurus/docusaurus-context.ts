import type { FileFacts, RepoPath, RepositoryAddress } from '../../model/index.ts';
import type { PageTable } from './page-table.ts';
import type { SiteRoutes } from './site-routes.ts';

/** What the rules need to know of a site and its pages. */
export interface DocusaurusPages {
  readonly routes: SiteRoutes;
  readonly pageOf: Pick<PageTable, 'get' | 'has'>;
  /** Facts of the Markdown files that a page imports. */
  includedBy(page: RepoPath, facts: FileFacts): readonly FileFacts[];
  hasFile(path: RepoPath): boolean;
  readonly repository: RepositoryAddress | undefined;
}
