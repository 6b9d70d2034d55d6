import type { Static } from 'typebox';
import { parseConfig } from '../../config/index.ts';
import { hasStatusCode, markdown, type Repository, readRepository, splitName } from '../../github/index.ts';
import { PermanentFailure } from '../../queue/index.ts';
import { listBindings, listExternalFindings, loadRepository } from '../../store/index.ts';
import type { SyncDeps } from '../deps.ts';
import type { issueJob } from './issue-job.ts';
import { type DeadLink, ISSUE_MARK, ISSUE_TITLE, listedUrls, writeIssue } from './write-issue.ts';

/** This many of the App's issues are searched for the one about links. */
const SEARCHED_ISSUES = 100;

/**
 * Syncs a repository's single issue about dead links to other sites, where its configuration wants it: creates it for the
 * first dead link, edits it in place, closes it after the last, and reopens it rather than creating another. An issue that
 * people closed stays closed until a link is dead that it does not name.
 */
export async function syncIssue(
  deps: SyncDeps,
  { repositoryId, installationId }: Static<typeof issueJob.payload>,
  signal: AbortSignal,
): Promise<void> {
  const known = await loadRepository(deps.db, repositoryId);
  if (known === null || known.disconnected !== null || !isWanted(known.configText)) return;
  const octokit = await deps.access.on(installationId, { signal });
  const repository = await readRepository(octokit, splitName(known.fullName));
  if (repository === null || repository.archived) return;
  const dead = await listDead(deps, repository);
  const name = { owner: repository.owner, repo: repository.name };
  const { data: app } = await (await deps.access.app({ signal })).rest.apps.getAuthenticated();
  try {
    const { data: own } = await octokit.rest.issues.listForRepo({
      ...name,
      state: 'all',
      creator: `${app?.slug ?? 'docloom'}[bot]`,
      per_page: SEARCHED_ISSUES,
    });
    const issue = own.find((item) => item.pull_request === undefined && item.body?.includes(ISSUE_MARK));
    const body = writeIssue(dead);
    if (issue === undefined) {
      if (dead.length > 0) await octokit.rest.issues.create({ ...name, title: ISSUE_TITLE, body });
      return;
    }
    const before = issue.body ?? '';
    const isOpen = issue.state === 'open';
    const [listed, listedBefore] = [listedUrls(body), listedUrls(before)];
    const hasNewLinks = [...listed].some((url) => !listedBefore.has(url));
    if (before === body || (!isOpen && !hasNewLinks)) return;
    await octokit.rest.issues.update({
      ...name,
      issue_number: issue.number,
      body,
      ...(dead.length === 0
        ? { state: 'closed' as const, state_reason: 'completed' as const }
        : isOpen
          ? {}
          : { state: 'open' as const }),
    });
  } catch (error) {
    // 410: the repository has no issues.
    if (!hasStatusCode(error, 403, 410)) throw error;
    throw new PermanentFailure(
      `The App may not write issues of ${known.fullName}: accept its permission for issues and enable issues there, or set \`external-links.issue: false\`.`,
    );
  }
}

function isWanted(configText: string | null): boolean {
  const parsed = parseConfig(configText ?? '');
  return !('problems' in parsed) && parsed.config['external-links'].issue;
}

/** The dead addresses of all spaces of a repository, each once, in order. */
async function listDead({ db }: SyncDeps, { id, htmlUrl }: Repository): Promise<readonly DeadLink[]> {
  const dead = new Map<string, DeadLink>();
  for (const binding of await listBindings(db, id)) {
    if (binding.disconnected !== null) continue;
    const blobUrl = `${htmlUrl}/blob/${binding.branch.split('/').map(encodeURIComponent).join('/')}/`;
    for (const { url, state, detail, since, uses } of await listExternalFindings(db, binding.id)) {
      if (state !== 'dead') continue;
      const linked = uses.map(({ path, line }) => ({
        path,
        line,
        href: markdown.blobLink(blobUrl, path, line),
      }));
      const before = dead.get(url);
      dead.set(url, { url, detail, since, uses: [...(before?.uses ?? []), ...linked] });
    }
  }
  return [...dead.values()].sort((a, b) => (a.url < b.url ? -1 : 1));
}
