import { type ForgeContext, gitDirOf } from '../forge-context.ts';
import { peelToCommit } from '../git/read-commits.ts';
import type { RepositoryRecord } from '../state/records.ts';
import { ForgeApiError } from './api-error.ts';

/**
 * The commit that a name means: a branch, a tag, `heads/x`, `tags/x`, a full ref name, `HEAD`, or an oid of 7 digits or more.
 * Names never reach git as revision syntax: only oids do. Null when there is none.
 */
export async function resolveRef(
  context: ForgeContext,
  repository: RepositoryRecord,
  name: string,
): Promise<string | null> {
  const { refs } = repository;
  const wanted = name === 'HEAD' ? repository.defaultBranch : name;
  const oid =
    refs[`refs/heads/${wanted}`] ??
    refs[`refs/tags/${wanted}`] ??
    refs[`refs/${wanted}`] ??
    (wanted.startsWith('refs/') ? refs[wanted] : undefined) ??
    (/^[0-9a-f]{7,40}$/i.test(wanted) ? wanted : null);
  return oid === null ? null : peelToCommit(gitDirOf(context, repository.id), oid);
}

/** As resolveRef, but throws GitHub's 422 where the commit of a path is missing. */
export async function requireCommit(
  context: ForgeContext,
  repository: RepositoryRecord,
  name: string,
): Promise<string> {
  const oid = await resolveRef(context, repository, name);
  if (!oid) throw new ForgeApiError(422, `No commit found for SHA: ${name}`);
  return oid;
}
