import {
  type ClaimedComparison,
  claimComparison,
  listMissedRepositories,
  listRepositoriesToReconcile,
  releaseComparison,
  renewComparison,
} from '../../store/index.ts';
import { compareRepositories } from './compare-repositories.ts';
import type { ReconcileDeps } from './deps.ts';
import { BRANCHES_PER_QUERY } from './read-tips.ts';
import { syncInstallation } from './sync-installation.ts';

/** Each installation has a queue of calls and limits of its own, so a large one need not hold up the others. */
const INSTALLATIONS_AT_ONCE = 4;

/** A process that was killed holds its installations for so long; the next one goes on where it stopped. */
const HOLD_MS = 2 * 60_000;

/**
 * A list this long takes many calls, and is another one after every push. What is added or removed is told by webhooks,
 * and where one was missed, the list is read at once.
 */
const LONG_LIST = 500;
const LONG_LIST_REST_MS = 60 * 60_000;

/**
 * Compares installations whose comparison was requested, until none is left that no other process compares. One that cannot
 * be read does not affect the others.
 */
export async function compareInstallations(deps: ReconcileDeps, signal: AbortSignal): Promise<void> {
  const compareNext = async () => {
    for (;;) {
      signal.throwIfAborted();
      const claimed = await claimComparison(deps.db, HOLD_MS);
      if (claimed === null) return;
      await compareClaimed(deps, claimed, signal);
    }
  };
  // Nothing of a pass that is stopped runs on behind it.
  const ends = await Promise.allSettled(Array.from({ length: INSTALLATIONS_AT_ONCE }, compareNext));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

async function compareClaimed(
  deps: ReconcileDeps,
  claimed: ClaimedComparison,
  signal: AbortSignal,
): Promise<void> {
  const { db, log } = deps;
  const taken = new AbortController();
  const renewal = setInterval(() => {
    renewComparison(db, claimed, HOLD_MS).then(
      (isHeld) => isHeld || taken.abort(new Error('Another process compares this installation by now.')),
      // As long as the database is away, no other process claims it either.
      () => {},
    );
  }, HOLD_MS / 4);
  renewal.unref();
  let outcome: Parameters<typeof releaseComparison>[2] = 'complete';
  try {
    await compareInstallation(deps, claimed, AbortSignal.any([signal, taken.signal]));
  } catch (error) {
    outcome = signal.aborted ? 'stopped' : 'failed';
    if (signal.aborted) throw error;
    const { installationId: installation } = claimed;
    log.warn({ err: error, installation }, 'An installation could not be reconciled');
  } finally {
    clearInterval(renewal);
    // Otherwise others take it when the claim has expired.
    await releaseComparison(db, claimed, outcome).catch(() => {});
  }
}

async function compareInstallation(
  deps: ReconcileDeps,
  claimed: ClaimedComparison,
  signal: AbortSignal,
): Promise<void> {
  const { db } = deps;
  const { installationId, afterRepository, isMissed, comparedAt } = claimed;
  const hold = async (progress: Parameters<typeof renewComparison>[3]) => {
    signal.throwIfAborted();
    if (!(await renewComparison(db, claimed, HOLD_MS, progress)))
      throw new Error('Another process compares this installation by now.');
  };
  if (afterRepository === null && (await isListDue(deps, claimed))) {
    await syncInstallation(deps, { id: installationId, suspended: false }, { signal });
    await hold({ isListed: true });
  }
  const octokit = await deps.access.on(installationId, { signal });
  let differing = 0;
  const compare = async (which: Parameters<typeof listRepositoriesToReconcile>[2]) => {
    const repositories = await listRepositoriesToReconcile(db, installationId, which);
    if (repositories.length > 0) differing += await compareRepositories(deps, octokit, repositories);
    return repositories;
  };
  if (isMissed) {
    const ids = await listMissedRepositories(db, installationId, comparedAt ?? new Date(0));
    for (let start = 0; start < ids.length; start += BRANCHES_PER_QUERY)
      await compare({ ids: ids.slice(start, start + BRANCHES_PER_QUERY) });
  }
  for (let after = afterRepository ?? 0; ; ) {
    const compared = await compare({ after, limit: BRANCHES_PER_QUERY });
    const last = compared.at(-1);
    if (last === undefined) break;
    after = last.id;
    await hold({ afterRepository: after });
  }
  if (differing > 0)
    deps.log.info({ installation: installationId, differing }, 'Branches differed from what is live');
}

async function isListDue(
  { db }: ReconcileDeps,
  { installationId, listedAt, isMissed }: ClaimedComparison,
): Promise<boolean> {
  if (listedAt === null || isMissed || Date.now() - listedAt.getTime() > LONG_LIST_REST_MS) return true;
  const some = await listRepositoriesToReconcile(db, installationId, { after: 0, limit: LONG_LIST + 1 });
  return some.length <= LONG_LIST;
}
