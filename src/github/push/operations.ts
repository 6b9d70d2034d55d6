import { setTimeout as pause } from 'node:timers/promises';
import { type GitOperation, operations, type PlatformClient } from '../../client/index.ts';

/** Enough to see what is live and what runs; older operations say nothing about now. */
const RECENT = 50;

const BRANCHES = 'refs/heads/';

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 1_000;
/** Below the job's own limit of 15 minutes, so that the reason is told; the next try goes on waiting. */
const PATIENCE_MS = 12 * 60_000;

/** A sync that cannot go on now: a sentence for people. */
export class SyncError extends Error {
  override readonly name = 'SyncError';
}

/** The imports of a branch into a space, newest first; of a pull request's ref those that made a preview. */
export async function listImports(
  client: PlatformClient,
  spaceId: string,
  ref: string,
): Promise<readonly GitOperation[]> {
  const { items } = await client.call(operations.listGitOperations, {
    params: { spaceId },
    query: { limit: RECENT },
  });
  return items.filter(
    (one) => one.direction === 'import' && one.standalone === !ref.startsWith(BRANCHES) && one.ref === ref,
  );
}

/** The import that made what readers see now. */
export function findLive(imports: readonly GitOperation[]): GitOperation | null {
  return imports.find((one) => one.state === 'success' && !one.skipped) ?? null;
}

/** Waits until the operation ends, asking ever less often up to once a second. */
export async function waitForEnd(
  client: PlatformClient,
  spaceId: string,
  ref: string,
  isOurs: (operation: GitOperation) => boolean,
  signal: AbortSignal,
): Promise<GitOperation> {
  const deadline = Date.now() + PATIENCE_MS;
  for (let wait = FIRST_WAIT_MS; Date.now() < deadline; wait = Math.min(wait * 1.5, LONGEST_WAIT_MS)) {
    const operation = (await listImports(client, spaceId, ref)).find(isOurs);
    if (operation !== undefined && operation.state !== 'running') return operation;
    await pause(wait, undefined, { signal });
  }
  throw new SyncError(
    `The import into the space ${spaceId} did not end within 12 minutes; it is looked at again.`,
  );
}
