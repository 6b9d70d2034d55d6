import { type ForgeContext, timestamp } from '../forge-context.ts';
import type { CheckSuiteRecord, RepositoryRecord } from '../state/records.ts';

/** The check suite of a commit, created when it is new, as GitHub does for each commit and App. */
export function ensureCheckSuite(
  context: ForgeContext,
  repository: RepositoryRecord,
  headSha: string,
): CheckSuiteRecord {
  const known = context.data.checkSuites.find(
    (checkSuite) => checkSuite.repositoryId === repository.id && checkSuite.headSha === headSha,
  );
  if (known) return known;
  const branch = Object.entries(repository.refs).find(
    ([ref, oid]) => oid === headSha && ref.startsWith('refs/heads/'),
  );
  const suite: CheckSuiteRecord = {
    id: context.nextId(),
    repositoryId: repository.id,
    headSha,
    headBranch: branch?.[0].slice('refs/heads/'.length) ?? null,
    createdAt: timestamp(context.now()),
  };
  context.data.checkSuites.push(suite);
  return suite;
}
