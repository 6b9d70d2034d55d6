import { operations } from '../../client/index.ts';
import { readAddress } from '../../content/links/index.ts';
import { type ExternalUse, listBindings, listUnchecked, replaceUses } from '../../store/index.ts';
import type { SyncDeps } from '../deps.ts';
import { firstStep } from './check-link.ts';
import { issueJob } from './issue-job.ts';
import { linkJob } from './link-job.ts';

/** An address is not probed twice within this time, whoever links to it. */
const PROBE_INTERVAL_MS = 12 * 60 * 60 * 1000;

/** The maximum per space; more are left out. */
const MAX_USES = 100_000;
const BATCH = 1_000;

/** Records which addresses the spaces of a repository link to, and enqueues probes of those not probed recently. */
export async function gatherLinks(deps: SyncDeps, repositoryId: number, signal: AbortSignal): Promise<void> {
  const bindings = await listBindings(deps.db, repositoryId);
  for (const { id, spaceId, disconnected, installationId } of bindings) {
    if (spaceId === null || disconnected !== null) continue;
    const uses = await readUses(deps, id, spaceId, signal);
    await deps.db.transaction((tx) => replaceUses(tx, id, uses));
    const due = await listUnchecked(
      deps.db,
      id,
      new Date(deps.now().getTime() - PROBE_INTERVAL_MS),
      MAX_USES,
    );
    for (let start = 0; start < due.length; start += BATCH) {
      await deps.db.transaction(async (tx) => {
        for (const url of due.slice(start, start + BATCH)) {
          await deps.queue.enqueue(tx, linkJob, firstStep(url, String(installationId)), {
            unlessWaiting: true,
          });
        }
      });
    }
  }
  // Pages may no longer link to a dead address.
  const [first] = bindings.filter(({ disconnected }) => disconnected === null);
  if (first !== undefined) {
    const { installationId } = first;
    await deps.queue.enqueue(deps.db, issueJob, { repositoryId, installationId }, { unlessWaiting: true });
  }
}

async function readUses(
  { client }: SyncDeps,
  bindingId: string,
  spaceId: string,
  signal: AbortSignal,
): Promise<readonly ExternalUse[]> {
  const uses: ExternalUse[] = [];
  for await (const { check, targetReference, locationReferences } of client.paginate(operations.listLinks, {
    params: { spaceId },
    query: { status: 'ok', limit: 1000 },
  })) {
    signal.throwIfAborted();
    if (uses.length >= MAX_USES) break;
    const address = check.verdict === 'unchecked' ? readAddress(targetReference.url) : null;
    if (address === null) continue;
    for (const { position } of locationReferences) {
      if (position) uses.push({ bindingId, ...address, path: position.path, line: position.line });
    }
  }
  return uses;
}
