import { type Static, Type } from 'typebox';
import { defineJob } from '../../queue/index.ts';
import { type Database, loadBinding } from '../../store/index.ts';
import {
  listStatuses,
  type Octokit,
  postCommitStatus,
  type RepositoryName,
  readRepository,
  splitName,
} from '../api/index.ts';

import { LATE_RECHECK } from '../webhooks/index.ts';

/**
 * Inspects commits once more after their final status was posted. If a process is killed or a call is abandoned, an earlier
 * *pending* may reach GitHub after the final status, and would stay for ever.
 */
export const lateStatusJob = defineJob({
  name: 'github.late-status',
  payload: Type.Object({
    installationId: Type.Integer(),
    repositoryId: Type.Integer(),
    bindingId: Type.String(),
    /** The commit status's name. */
    context: Type.String(),
    oids: Type.Array(Type.String()),
  }),
  ...LATE_RECHECK,
  key: ({ bindingId }) => bindingId,
});

/** Posts the final status again where a *pending* came after it, except on commits that a run is working on. */
export async function completeLateStatuses(
  db: Database,
  { bindingId, repositoryId, context, oids }: Static<typeof lateStatusJob.payload>,
  octokit: Octokit,
): Promise<void> {
  const binding = await loadBinding(db, bindingId);
  if (binding === null) return;
  const repository = await readRepository(octokit, splitName(binding.repository));
  if (repository === null || repository.id !== repositoryId || repository.archived) return;
  for (const oid of oids) {
    if (!binding.pendingOids.includes(oid)) await repeatFinal(octokit, repository, oid, context);
  }
}

async function repeatFinal(
  octokit: Octokit,
  repository: RepositoryName,
  oid: string,
  context: string,
): Promise<void> {
  const [newest, ...before] = await listStatuses(octokit, repository, oid, context);
  const final = before.find(({ state }) => state !== 'pending');
  if (newest?.state === 'pending' && final !== undefined)
    await postCommitStatus(octokit, repository, oid, final);
}
