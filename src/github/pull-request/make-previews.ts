import type { Static } from 'typebox';
import { type GitOperation, startGitOperation } from '../../client/index.ts';
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
import {
  type PreviewedSpace,
  removeSitePreview,
  type SitePreviewDeps,
  showSitePreview,
} from './site-preview.ts';
import { writePreviews } from './summary.ts';

export interface PreviewDeps extends SitePreviewDeps, Pick<PullRequestDeps, 'access' | 'publicUrl'> {}

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
  const previews: MadePreview[] = [];
  for (const binding of wanted) {
    const preview = await makePreview(deps, { pull, binding, installationId: work.installationId }, run);
    if (preview !== null) previews.push({ binding, ...preview });
  }
  if (previews.length === 0) return;
  const site = await makeSitePreview(deps, pull, previews);
  // Closed while it was made: nothing else would delete it.
  if (site !== null && (await readPullRequest(octokit, hint)) === null)
    return await removeSitePreview(deps, pull);
  const rest = previews.filter(({ preview }) => preview.url === null || site?.preview.url == null);
  const shown = site === null ? rest : [site, ...rest];
  await saveReport(deps.db, work.reportId, { ...report, previews: shown.map(({ preview }) => preview) });
  for (const { id, directory, verdict } of await listRuns(deps.db, stored)) {
    const own = shown.filter(({ binding }) => isAbout(directory, binding));
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

interface MadePreview {
  /** Null for that of the whole site. */
  readonly binding: Binding | null;
  readonly preview: Preview;
  /** What was imported for it. */
  readonly made: PreviewedSpace | null;
}

function isAbout(directory: string | null, binding: Binding | null): boolean {
  return directory === null || binding === null || binding.directory === directory;
}

/** The whole site instead of its spaces alone; null where there is none. */
async function makeSitePreview(
  deps: PreviewDeps,
  pull: PullRequest,
  previews: readonly MadePreview[],
): Promise<MadePreview | null> {
  const preview = await showSitePreview(
    deps,
    pull,
    previews.flatMap(({ made }) => made ?? []),
  );
  return preview === null ? null : { binding: null, preview, made: null };
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
): Promise<Pick<MadePreview, 'preview' | 'made'> | null> {
  const { spaceId, title: space } = binding;
  const failed = (problem: string) => ({ preview: { space, url: null, problem }, made: null });
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
      return failed(operation.error?.message ?? 'The platform gave no reason.');
    }
    if (operation.commit !== pull.headOid || operation.revision === undefined) return null;
    const { revision: revisionId } = operation;
    const url = `${deps.publicUrl}/spaces/${spaceId}/revisions/${revisionId}`;
    return { preview: { space, url, problem: null }, made: { spaceId, revisionId } };
  } catch (error) {
    if (run.signal.aborted || !run.lastAttempt) throw error;
    return failed(explainError(error));
  }
}
