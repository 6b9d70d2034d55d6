import type { Static } from 'typebox';
import { type GitOperation, type PlatformClient, startGitOperation } from '../../client/index.ts';
import { isLinkReport, type Preview } from '../../content/report/index.ts';
import type { JobContext } from '../../queue/index.ts';
import { type Binding, listBindings, listRuns, loadReport, saveReport } from '../../store/index.ts';
import {
  explainError,
  mintRemote,
  type Octokit,
  type PullRequest,
  readPullRequest,
  splitName,
} from '../api/index.ts';

import { gitBody, listImports, waitForImport } from '../repository/index.ts';
import type { PullRequestDeps } from './deps.ts';
import { updateRunText } from './head-runs.ts';
import type { previewJob } from './preview-job.ts';
import { writePreviews } from './summary.ts';

export interface PreviewDeps extends Pick<PullRequestDeps, 'db' | 'access' | 'publicUrl'> {
  readonly client: PlatformClient;
}

type PreviewWork = Static<typeof previewJob.payload>;

/**
 * Imports a pull request's head beside the live content, and links to it from the check run. The conclusion stays as it is,
 * whether this succeeds or not. Nothing is done for a pull request that was closed or moved on: previews are removed
 * automatically.
 */
export async function makePreviews(
  deps: PreviewDeps,
  work: PreviewWork,
  octokit: Octokit,
  run: JobContext,
): Promise<void> {
  const name = splitName(work.fullName);
  const hint = { ...work, name };
  const pull = await readPullRequest(octokit, hint);
  const stored = await loadReport(deps.db, work.reportId);
  if (pull?.headOid !== work.headOid || stored === null) return;
  const { report } = stored;
  if (!isLinkReport(report) || report.state !== 'checked') return;
  const wanted = (await listBindings(deps.db, work.repositoryId)).filter(({ id }) =>
    work.bindingIds.includes(id),
  );
  const previews: { readonly binding: Binding; readonly preview: Preview }[] = [];
  for (const binding of wanted) {
    const preview = await makePreview(deps, { pull, binding, installationId: work.installationId }, run);
    if (preview !== null) previews.push({ binding, preview });
  }
  if (previews.length === 0) return;
  await saveReport(deps.db, work.reportId, { ...report, previews: previews.map(({ preview }) => preview) });
  for (const { id, directory, verdict } of await listRuns(deps.db, stored)) {
    const own = previews.filter(({ binding }) => directory === null || binding.directory === directory);
    if (own.length === 0 || verdict === null) continue;
    const { title, summary } = verdict;
    const extended = writePreviews(
      own.map(({ preview }) => preview),
      summary,
    );
    if (extended === summary) continue;
    await updateRunText({ ...deps, octokit }, pull.repository, { id, verdict }, { title, summary: extended });
  }
}

interface PreviewTarget {
  readonly pull: PullRequest;
  readonly binding: Binding;
  readonly installationId: number;
}

/** Null when there is nothing to report: the binding has no space any more, or the head moved on. */
async function makePreview(
  deps: PreviewDeps,
  { pull, binding, installationId }: PreviewTarget,
  run: JobContext,
): Promise<Preview | null> {
  const { spaceId, title: space } = binding;
  if (spaceId === null) return null;
  try {
    const imports = await listImports(deps.client, spaceId, pull.headRef);
    const isOfHead = ({ state, commit }: GitOperation) =>
      state !== 'failure' && (commit ?? pull.headOid) === pull.headOid;
    let id = imports.find(isOfHead)?.id;
    if (id === undefined) {
      const remote = await mintRemote(await deps.access.app(run), installationId, pull.repository);
      const body = {
        ...gitBody(pull.repository, { ...binding, branch: pull.baseBranch }, remote),
        ref: pull.headRef,
        standalone: true,
      };
      id = await startGitOperation(deps.client, spaceId, { direction: 'import', body }, run.signal);
    }
    const operation = await waitForImport(deps.client, { spaceId, ref: pull.headRef, id }, run.signal);
    if (operation.state === 'failure') {
      return { space, url: null, problem: operation.error?.message ?? 'The platform gave no reason.' };
    }
    if (operation.commit !== pull.headOid || operation.revision === undefined) return null;
    return {
      space,
      url: `${deps.publicUrl}/spaces/${spaceId}/revisions/${operation.revision}`,
      problem: null,
    };
  } catch (error) {
    if (run.signal.aborted || !run.lastAttempt) throw error;
    return { space, url: null, problem: explainError(error) };
  }
}
