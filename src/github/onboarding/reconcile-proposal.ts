import { createHash } from 'node:crypto';
import type { JobContext, Queue } from '../../queue/index.ts';
import { type Database, type KnownRepository, loadRepository, saveOnboarding } from '../../store/index.ts';
import {
  hasStatusCode,
  mintRemote,
  nullWhenMissing,
  type Octokit,
  type Repository,
  readBranchTip,
  readRepository,
  repositoryCacheId,
} from '../api/index.ts';
import { CONFIG_PATH, readRepositoryConfig } from '../repository/index.ts';
import { enqueueRecheck, type PullRequestEvent } from '../webhooks/index.ts';
import type { Onboarding, OnboardingDeps, OnboardingHint } from './deps.ts';
import { runDry } from './dry-run.ts';
import { PROPOSAL_TITLE, writeConfig, writeProposal } from './write-proposal.ts';

const BRANCH = 'docloom/configure';

/** Whether there is, or should be, a proposal. A repository gets at most one, and a fork none. */
export function isProposalDue(
  onboarding: Onboarding,
  repository: Pick<Repository, 'fork'>,
  known: Pick<KnownRepository, 'onboarding'> | null,
  hasFile: boolean,
): boolean {
  const state = known?.onboarding ?? null;
  if (onboarding === 'off' || repository.fork || state === 'closed') return false;
  return !hasFile || state === 'open';
}

/**
 * Brings the pull request that proposes a configuration in line with the repository as it is now: opens it, keeps it
 * current while nobody else changed its file, and closes it when the file was added in another way. Once closed, it is
 * never opened again, even when the database was lost: GitHub still has the pull request.
 */
export async function reconcileProposal(
  deps: OnboardingDeps,
  hint: OnboardingHint,
  octokit: Octokit,
  run: JobContext,
): Promise<void> {
  const repository = await readRepository(octokit, hint.name);
  if (repository === null || repository.id !== hint.repositoryId || repository.archived) return;
  const known = await loadRepository(deps.db, repository.id);
  const tip = await readBranchTip(octokit, repository, repository.defaultBranch);
  if (tip === null) return;
  const config = await readRepositoryConfig(octokit, repository, tip);
  const hasFile = 'problems' in config || config.text !== null;
  if (!isProposalDue(deps.onboarding, repository, known, hasFile)) return;
  if (!(await mayWrite(deps, hint.installationId, run)))
    return await closeProposal(deps, hint, repository, 'refused');
  const pull = await findPull(octokit, repository, known);
  if (hasFile) {
    if (pull?.state === 'open') await updatePull(octokit, repository, pull.number, { state: 'closed' });
    return await saveOnboarding(deps.db, repository.id, { onboarding: 'closed' });
  }
  if (pull !== null && pull.state !== 'open') return await closeProposal(deps, hint, repository, 'closed');
  const draft = await draftProposal(deps, hint, repository, tip, run);
  if (draft === null) return await closeProposal(deps, hint, repository, 'refused');
  const [writtenFile, writtenBody] = (known?.onboardingDigest ?? '').split(' ');
  const [file, body] = [digest(draft.text), digest(draft.body)];
  if (pull !== null && writtenFile === file && writtenBody === body) return;
  const isOurs = await writeFile(octokit, repository, {
    tip,
    text: draft.text,
    // Without a pull request, the branch may contain what an earlier attempt wrote.
    written: pull === null ? null : (writtenFile ?? null),
  });
  let number = pull?.number;
  if (number === undefined) number = await openPull(octokit, repository, draft.body);
  else if (isOurs) await updatePull(octokit, repository, number, { body: draft.body });
  await saveOnboarding(deps.db, repository.id, {
    onboarding: 'open',
    onboardingPull: number,
    ...(isOurs ? { onboardingDigest: `${file} ${body}` } : {}),
  });
}

/** Handles a closed pull request: if it proposed the configuration, enqueues a recheck of the proposal. */
export async function handleClosedProposal(
  deps: { readonly db: Database; readonly queue: Queue },
  { repository, installation, number }: PullRequestEvent,
): Promise<void> {
  const known = await loadRepository(deps.db, repository.id);
  if (known?.onboarding !== 'open' || known.onboardingPull !== number) return;
  await enqueueRecheck(deps, {
    installationId: installation.id,
    repositoryId: repository.id,
    fullName: repository.full_name,
    kind: 'onboarding',
  });
}

/** There will be no proposal: a sync that waited for it continues. */
async function closeProposal(
  deps: OnboardingDeps,
  { installationId }: OnboardingHint,
  repository: Repository,
  state: 'closed' | 'refused',
): Promise<void> {
  const known = await loadRepository(deps.db, repository.id);
  await saveOnboarding(deps.db, repository.id, { onboarding: state });
  if (deps.onboarding !== 'wait' || known?.onboarding === state) return;
  await enqueueRecheck(deps, {
    installationId,
    repositoryId: repository.id,
    fullName: repository.fullName,
    kind: 'branch',
    branch: repository.defaultBranch,
  });
}

/** Whether the installation may write code and pull requests; false with the read-only tier. */
async function mayWrite(
  { access }: OnboardingDeps,
  installationId: number,
  run: JobContext,
): Promise<boolean> {
  const app = await access.app(run);
  const { data } = await app.rest.apps.getInstallation({ installation_id: installationId });
  return data.permissions.contents === 'write' && data.permissions.pull_requests === 'write';
}

interface FoundPull {
  readonly number: number;
  readonly state: string;
}

async function findPull(
  octokit: Octokit,
  repository: Repository,
  known: KnownRepository | null,
): Promise<FoundPull | null> {
  const { owner, name: repo } = repository;
  const pullNumber = known?.onboardingPull ?? null;
  if (pullNumber !== null) {
    const response = await nullWhenMissing(octokit.rest.pulls.get({ owner, repo, pull_number: pullNumber }));
    return response === null ? { number: pullNumber, state: 'closed' } : response.data;
  }
  const { data } = await octokit.rest.pulls.list({
    owner,
    repo,
    state: 'all',
    head: `${owner}:${BRANCH}`,
    per_page: 1,
  });
  return data[0] ?? null;
}

/** The text of the configuration and of the pull request; null where there is no page to sync. */
async function draftProposal(
  deps: OnboardingDeps,
  { installationId }: OnboardingHint,
  repository: Repository,
  tip: string,
  run: JobContext,
): Promise<{ readonly text: string; readonly body: string } | null> {
  const { signal } = run;
  const remote = await mintRemote(await deps.access.app(run), installationId, repository);
  const cached = await deps.git.repository(repositoryCacheId(repository));
  await cached.fetchCommit(remote, tip, { signal });
  const tree = await cached.readTree(tip);
  const found = await runDry(deps.engine.within(repositoryCacheId(repository)), {
    repository: cached,
    remote,
    tree,
    signal,
    name: repository.name,
  });
  const spaces = found.spaces.filter(({ pages }) => pages > 0);
  if (spaces.length === 0) return null;
  const proposal = { run: { ...found, spaces }, branch: repository.defaultBranch };
  return {
    text: writeConfig(spaces, deps.publicUrl),
    body: writeProposal({ ...proposal, waits: deps.onboarding === 'wait' }),
  };
}

interface FileUpdate {
  readonly tip: string;
  readonly text: string;
  /** The digest of what was written last; null to write whatever is there. */
  readonly written: string | null;
}

/**
 * Writes the file to the proposal's branch, through the API so that GitHub signs the commit. Returns false, and leaves the
 * file as it is, when somebody else changed it there.
 */
async function writeFile(
  octokit: Octokit,
  repository: Repository,
  { tip, text, written }: FileUpdate,
): Promise<boolean> {
  const { owner, name: repo } = repository;
  if ((await readBranchTip(octokit, repository, BRANCH)) === null) {
    try {
      await octokit.rest.git.createRef({ owner, repo, ref: `refs/heads/${BRANCH}`, sha: tip });
    } catch (error) {
      if (!hasStatusCode(error, 422)) throw error; // an earlier attempt has just created it
    }
  }
  const response = await nullWhenMissing(
    octokit.rest.repos.getContent({ owner, repo, path: CONFIG_PATH, ref: BRANCH }),
  );
  const existing =
    response !== null && !Array.isArray(response.data) && 'content' in response.data ? response.data : null;
  const before = existing === null ? null : Buffer.from(existing.content, 'base64').toString('utf8');
  if (before === text) return true;
  if (written !== null && (before === null || digest(before) !== written)) return false;
  await octokit.rest.repos.createOrUpdateFileContents({
    owner,
    repo,
    path: CONFIG_PATH,
    branch: BRANCH,
    message: before === null ? 'Configure Docloom' : 'Update the configuration of Docloom',
    content: Buffer.from(text).toString('base64'),
    ...(existing === null ? {} : { sha: existing.sha }),
  });
  return true;
}

async function openPull(octokit: Octokit, repository: Repository, body: string): Promise<number> {
  const { data } = await octokit.rest.pulls.create({
    owner: repository.owner,
    repo: repository.name,
    head: BRANCH,
    base: repository.defaultBranch,
    title: PROPOSAL_TITLE,
    body,
  });
  return data.number;
}

async function updatePull(
  octokit: Octokit,
  { owner, name: repo }: Repository,
  pullNumber: number,
  change: { readonly state: 'closed' } | { readonly body: string },
): Promise<void> {
  await octokit.rest.pulls.update({ owner, repo, pull_number: pullNumber, ...change });
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
