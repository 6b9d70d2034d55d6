import { operations, type Space } from '../../client/index.ts';
import { type Config, parseConfig } from '../../config/index.ts';
import {
  botIdentity,
  gitBody,
  hasStatusCode,
  mintRemote,
  type Octokit,
  type Repository,
  readGrantedPermissions,
  readRepository,
  splitName,
} from '../../github/index.ts';
import { PermanentFailure } from '../../queue/index.ts';
import {
  type ExportingBinding,
  type ExportRow,
  loadExporting,
  saveExport,
  savePullChangeRequests,
} from '../../store/index.ts';
import { enqueueMirror } from '../comment-mirror/watch-discussions.ts';
import type { SyncDeps } from '../deps.ts';
import { describeEdits, type Edits, type Person } from './describe-edits.ts';
import {
  closePullRequest,
  findOpenPull,
  listChangedFiles,
  mergeBase,
  type PullBranches,
  readPullState,
  removeBranch,
  savePullRequest,
} from './export-pull-request.ts';
import { runGitExport } from './run-git-export.ts';
import { type Obstacle, writePullBody } from './write-pull-body.ts';

/** The context of one export. */
interface Export {
  readonly deps: SyncDeps;
  readonly octokit: Octokit;
  readonly repository: Repository;
  readonly binding: ExportingBinding;
  readonly space: Space;
  readonly edits: Edits;
  readonly committer: Person;
  readonly branches: PullBranches;
  readonly last: ExportRow | null;
  readonly signal: AbortSignal;
}

type Outcome = Pick<ExportRow, 'outcome'> &
  Partial<Pick<ExportRow, 'branch' | 'pullNumber' | 'commitOid' | 'error' | 'paths'>>;

/**
 * Exports the edits of a space to its branch as the repository's configuration says: as commits, or by a pull request
 * that is kept current. Edits that cannot be pushed (both sides changed a file, or the branch is protected) become a pull
 * request, too, which gives the reason. Run again, it does only what is missing.
 *
 * @throws when it must be retried; the reason is saved.
 */
export async function exportSpace(deps: SyncDeps, bindingId: string, signal: AbortSignal): Promise<void> {
  const startedAt = new Date();
  const found = await loadExporting(deps.db, bindingId);
  if (found === null) return;
  const { binding, last } = found;
  const space = await deps.client.call(operations.getSpace, { params: { spaceId: binding.spaceId } });
  const { revision } = space;
  if (revision === undefined) return;
  const save = async (outcome: Outcome) => {
    const isSame = outcome.outcome === 'same' || outcome.outcome === 'pushed';
    await saveExport(deps.db, {
      branch: null,
      pullNumber: null,
      commitOid: null,
      error: null,
      paths: [],
      ...outcome,
      bindingId,
      revisionId: revision,
      baseOid: binding.liveOid,
      sameSince: isSame ? startedAt : (last?.sameSince ?? null),
    });
  };
  try {
    const octokit = await deps.access.on(binding.installationId, { signal });
    const repository = await readRepository(octokit, splitName(found.repository.fullName));
    if (repository === null || repository.archived) {
      throw new PermanentFailure(
        `${binding.repository} cannot be written to: it was deleted or archived, or the App has no access to it.`,
      );
    }
    const settings = settingsOf(found.repository.configText);
    const app = await deps.access.app({ signal });
    const committer = await botIdentity(app, octokit, new URL(repository.htmlUrl).host);
    const edits = await describeEdits(deps.client, {
      binding,
      space,
      settings,
      committer,
      since: last?.sameSince ?? null,
    });
    const head = settings.branch.replaceAll('{space}', branchPart(binding.title));
    const branches = { repository, head, base: binding.branch };
    const run = { deps, octokit, repository, binding, space, edits, committer, branches, last, signal };
    await save(settings.mode === 'direct' ? await pushEdits(run) : await proposeEdits(run, null));
  } catch (error) {
    if (signal.aborted) throw error;
    await save({
      outcome: 'failed',
      error: await explainFailure(error, binding, () => deps.access.on(binding.installationId, { signal })),
      branch: last?.branch ?? null,
      pullNumber: last?.pullNumber ?? null,
    });
    throw error;
  }
}

/** Exports to the space's branch. */
async function pushEdits(run: Export): Promise<Outcome> {
  const { deps, binding, last, octokit, repository, branches } = run;
  const operation = await writeBranch(run, branches.base, async () => {
    const params = { spaceId: binding.spaceId };
    const { gitSync } = await deps.client.call(operations.getSpace, { params });
    return gitSync?.hasEdits !== false;
  });
  if (operation === null || operation.state === 'success') {
    if (last?.pullNumber != null && (await readPullState(octokit, repository, last.pullNumber)) === 'open') {
      await closePullRequest(octokit, repository, last.pullNumber); // the obstacle is gone
    }
    const isNew = operation !== null && !operation.unchanged;
    return { outcome: isNew ? 'pushed' : 'same', commitOid: operation?.commit ?? null };
  }
  const { code, message = 'the platform gave no reason.', paths = [] } = operation.error ?? {};
  if (code === 'conflict') return await proposeEdits(run, { kind: 'conflict', paths });
  if (code === 'push-refused') return await proposeEdits(run, { kind: 'refused', message, paths: [] });
  throw new Error(message);
}

/** Exports to a separate branch and opens a pull request from there. */
async function proposeEdits(run: Export, obstacle: Obstacle | null): Promise<Outcome> {
  const { octokit, repository, binding, space, edits, branches, last } = run;
  const open = await findOpenPull(octokit, branches);
  if (open === null && last?.outcome === 'proposed' && last.pullNumber !== null) {
    const state = await readPullState(octokit, repository, last.pullNumber);
    if (state === 'merged') await removeBranch(octokit, branches);
    const isNew = last.revisionId !== space.revision;
    if (state === 'closed' && !isNew) {
      return { outcome: 'declined', branch: branches.head, pullNumber: last.pullNumber };
    }
  }
  if (space.gitSync?.hasEdits === false) {
    if (open !== null && obstacle === null) await closePullRequest(octokit, repository, open.number);
    if (open !== null) await removeBranch(octokit, branches);
    return { outcome: 'same' };
  }
  const isMerged = open === null || (await mergeBase(octokit, branches));
  const operation = await writeBranch(run, branches.head, async () => true);
  if (operation?.state !== 'success') {
    throw new Error(operation?.error?.message ?? `The edits could not be written to ${branches.head}.`);
  }
  const changed = await listChangedFiles(octokit, branches);
  if (changed === null) {
    if (open !== null) await closePullRequest(octokit, repository, open.number);
    await removeBranch(octokit, branches);
    return { outcome: 'same' };
  }
  const from = { title: binding.title, url: space.urls.app, base: branches.base };
  const number = await savePullRequest(octokit, branches, open, {
    title: edits.title,
    body: writePullBody(
      edits,
      from,
      obstacle?.kind === 'refused' ? { ...obstacle, paths: changed } : obstacle,
    ),
  });
  const { id: repositoryId } = repository;
  const pull = { repositoryId, pullNumber: number, spaceId: binding.spaceId };
  await savePullChangeRequests(run.deps.db, pull, edits.changeRequestIds);
  await enqueueMirror(run.deps, repositoryId, number);
  return {
    outcome: 'proposed',
    branch: branches.head,
    pullNumber: number,
    commitOid: operation.commit ?? null,
    error: isMerged
      ? describeObstacle(obstacle)
      : `#${number} and ${branches.base} changed the same lines; somebody has to choose.`,
    paths: obstacle?.kind === 'conflict' ? obstacle.paths : [],
  };
}

function describeObstacle(obstacle: Obstacle | null): string | null {
  if (obstacle === null) return null;
  return obstacle.kind === 'refused'
    ? `The branch refused the commit: ${obstacle.message}`
    : 'Both sides changed the same files; somebody has to choose.';
}

/** Null when `isNeeded` says that there is nothing to write. */
async function writeBranch(
  { deps, repository, binding, edits, committer, signal }: Export,
  branch: string,
  isNeeded: () => Promise<boolean>,
) {
  const app = await deps.access.app({ signal });
  const remote = await mintRemote(app, binding.installationId, repository, 'write');
  return await runGitExport(
    deps.client,
    binding.spaceId,
    {
      ...gitBody(repository, binding, remote),
      ref: `refs/heads/${branch}`,
      commitMessage: edits.message,
      author: edits.author ?? committer,
      committer,
    },
    { isNeeded, signal },
  );
}

function settingsOf(text: string | null): Config['exports'] {
  const parsed = parseConfig(text ?? '');
  if ('problems' in parsed)
    throw new Error('The configuration in force cannot be read; it is read again at the next push.');
  return parsed.config.exports;
}

/** A title as a part of a branch's name (git-check-ref-format(1)). */
export function branchPart(title: string): string {
  const part = title
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return part === '' ? 'space' : part;
}

/** The permissions that an export needs. */
const NEEDED = { contents: 'write', pull_requests: 'write' } as const;

/** GitHub uses one status for several refusals; the installation shows whether a permission is missing. */
async function explainFailure(
  error: unknown,
  { repository }: ExportingBinding,
  open: () => Promise<Octokit>,
): Promise<string> {
  if (hasStatusCode(error, 403, 422) && (await lacksPermission(open))) {
    return `The App may not write to ${repository}: accept its permissions for contents and pull requests, or set \`direction: import\`.`;
  }
  return error instanceof Error ? error.message : String(error);
}

async function lacksPermission(open: () => Promise<Octokit>): Promise<boolean> {
  try {
    const granted = await readGrantedPermissions(await open(), NEEDED);
    return Object.entries(NEEDED).some(([name, level]) => granted[name] !== level);
  } catch {
    // The first error explains the failure.
    return false;
  }
}
