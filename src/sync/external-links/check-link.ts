import type { Static } from 'typebox';
import { PauseRequested } from '../../queue/index.ts';
import { type Db, listLinking, loadExternalLink, saveExternalLink } from '../../store/index.ts';
import type { SyncDeps } from '../deps.ts';
import { issueJob } from './issue-job.ts';
import { linkJob } from './link-job.ts';
import { probeUrl } from './probe-url.ts';
import { updateLinkState } from './update-link-state.ts';

/** What fails is asked again after this time, with as much again left to chance, until it answers or is dead. */
const AGAIN_S = 12 * 60 * 60;

/** Looking at an address needs no platform and no forge. */
export type LinkDeps = Pick<SyncDeps, 'db' | 'queue' | 'http' | 'now'>;

/** Links of one repository die and revive together; their issue is written once for all of them. */
const ISSUE_AFTER_S = 600;

/** Does one step of looking at an address, and plans the next. */
export async function checkLink(
  deps: LinkDeps,
  payload: Static<typeof linkJob.payload>,
  signal: AbortSignal,
): Promise<void> {
  const { url, share, ...step } = payload;
  const known = await loadExternalLink(deps.db, url);
  if (known === null) return; // nobody links to it any more
  const now = deps.now();
  const asked = await probeUrl(deps.http, step, known.fragments, { now, signal });
  if (asked.kind === 'busy') {
    throw new PauseRequested(
      asked.until,
      `${new URL(step.at).host} asks not to be asked before ${asked.until.toISOString()}.`,
    );
  }
  if (asked.kind === 'step') {
    await deps.queue.enqueue(deps.db, linkJob, { ...asked.step, url, share });
    return;
  }
  const link = updateLinkState(known.link, asked.finding, now);
  await deps.db.transaction(async (tx) => {
    await saveExternalLink(tx, link);
    if (link.state === 'failing') {
      const startAfter = Math.round(AGAIN_S * (1 + Math.random()));
      await deps.queue.enqueue(tx, linkJob, firstStep(url, share), { startAfter, unlessWaiting: true });
    }
    if (link.state !== known.link.state && [link.state, known.link.state].includes('dead')) {
      await enqueueIssues(deps, tx, url);
    }
  });
}

/** Has the issues of those repositories looked at that link to an address; together with what else dies soon. */
async function enqueueIssues({ queue }: LinkDeps, tx: Db, url: string): Promise<void> {
  for (const payload of await listLinking(tx, url)) {
    await queue.enqueue(tx, issueJob, payload, { startAfter: ISSUE_AFTER_S, unlessWaiting: true });
  }
}

/** How looking at an address begins. */
export function firstStep(url: string, share: string): Static<typeof linkJob.payload> {
  return { url, share, at: url, method: 'HEAD', hops: 0, isPermanent: true };
}
