import { type ForgeContext, gitDirOf } from '../forge-context.ts';
import { peelToCommit } from '../git/read-commits.ts';
import type { RepositoryRecord } from '../state/records.ts';
import { ForgeApiError } from './api-error.ts';

/**
 * Resolves a name to a commit: a branch, a tag, `heads/x`, `tags/x`, a full ref name, `HEAD`, or an oid of 7 digits or more.
 * Names are never passed to git as revision syntax, only oids are. Null when there is no such commit.
 */
export async function resolveRef(
  context: ForgeContext,
  repository: RepositoryRecord,
  name: string,
): Promise<string | null> {
  const { refs } = repository;
  const ref = name === 'HEAD' ? repository.defaultBranch : name;
  const oid =
    refs[`refs/heads/${ref}`] ??
    refs[`refs/tags/${ref}`] ??
    refs[`refs/${ref}`] ??
    (ref.startsWith('refs/') ? refs[ref] : undefined) ??
    (/^[0-9a-f]{7,40}$/i.test(ref) ? ref : null);
  return oid === null ? null : peelToCommit(gitDirOf(context, repository.id), oid);
}

/** Like `resolveRef`, but throws GitHub's 422 when there is no such commit. */
export async function requireCommit(
  context: ForgeContext,
  repository: RepositoryRecord,
  name: string,
): Promise<string> {
  const oid = await resolveRef(context, repository, name);
  if (!oid) throw new ForgeApiError(422, `No commit found for SHA: ${name}`);
  return oid;
}
