import type { Static } from 'typebox';
import { PauseRequested } from '../../queue/index.ts';
import { type Db, listLinkingRepositories, loadExternalLink, saveExternalLink } from '../../store/index.ts';
import type { SyncDeps } from '../deps.ts';
import { issueJob } from './issue-job.ts';
import { linkJob } from './link-job.ts';
import { probeUrl } from './probe-url.ts';
import { updateLinkState } from './update-link-state.ts';

/** A failing address is probed again after one to two times this many seconds, until it answers or is dead. */
const REPROBE_AFTER_S = 12 * 60 * 60;

/** Probing an address needs neither the platform nor GitHub. */
export type LinkDeps = Pick<SyncDeps, 'db' | 'queue' | 'http' | 'now'>;

/** Links of one repository often fail and recover together; their issue is written once for all. */
const ISSUE_AFTER_S = 600;

/** Probes an address once, and enqueues the next step. */
export async function checkExternalLink(
  deps: LinkDeps,
  payload: Static<typeof linkJob.payload>,
  signal: AbortSignal,
): Promise<void> {
  const { url, share, ...step } = payload;
  const known = await loadExternalLink(deps.db, url);
  if (known === null) return; // nobody links to it any more
  const now = deps.now();
  const probed = await probeUrl(deps.http, step, known.fragments, { now, signal });
  if (probed.kind === 'busy') {
    throw new PauseRequested(
      probed.until,
      `${new URL(step.at).host} accepts no requests before ${probed.until.toISOString()}.`,
    );
  }
  if (probed.kind === 'step') {
    await deps.queue.enqueue(deps.db, linkJob, { ...probed.step, url, share });
    return;
  }
  const link = updateLinkState(known.link, probed.finding, now);
  await deps.db.transaction(async (tx) => {
    await saveExternalLink(tx, link);
    if (link.state === 'failing') {
      const startAfter = Math.round(REPROBE_AFTER_S * (1 + Math.random()));
      await deps.queue.enqueue(tx, linkJob, firstStep(url, share), { startAfter, unlessWaiting: true });
    }
    if (link.state !== known.link.state && [link.state, known.link.state].includes('dead')) {
      await enqueueIssues(deps, tx, url);
    }
  });
}

/** Enqueues updates of the issues of repositories that link to an address, delayed so that other changes join them. */
async function enqueueIssues({ queue }: LinkDeps, tx: Db, url: string): Promise<void> {
  for (const payload of await listLinkingRepositories(tx, url)) {
    await queue.enqueue(tx, issueJob, payload, { startAfter: ISSUE_AFTER_S, unlessWaiting: true });
  }
}

/** The first probe of an address. */
export function firstStep(url: string, share: string): Static<typeof linkJob.payload> {
  return { url, share, at: url, method: 'HEAD', hops: 0, isPermanent: true };
}
