import { findRunRecord } from '../state/find-records.ts';
import { commitPage } from './commit-page.ts';
import { filePage, folderPage, rawFile } from './file-pages.ts';
import { issuePage } from './issue-page.ts';
import { overviewPage } from './overview-page.ts';
import type { PageResult, RepositoryPageCall } from './page.ts';
import { pullPage } from './pull-page.ts';

type Page = (call: RepositoryPageCall) => PageResult | Promise<PageResult>;

/** The pages of a repository by the first part of the address after `/owner/name`. */
export const repositoryPages: Readonly<Record<string, Page>> = {
  '': overviewPage,
  pull: pullPage,
  issues: issuePage,
  commit: commitPage,
  runs: runPage,
  tree: folderPage,
  blob: filePage,
  raw: async (call) => (await rawFile(call))?.bytes ?? null,
};

function runPage(call: RepositoryPageCall): PageResult | Promise<PageResult> {
  const run = findRunRecord(call.context.data, call.repository.id, call.rest[1]);
  return run && call.rest.length === 2 ? commitPage({ ...call, rest: ['commit', run.headSha] }) : null;
}
