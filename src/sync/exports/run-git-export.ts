import { setTimeout as pause } from 'node:timers/promises';
import { type GitOperation, type InputOf, operations, type PlatformClient } from '../../client/index.ts';

type ExportBody = InputOf<typeof operations.exportGit>['body'];

const RECENT = 50;
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 1_000;

/**
 * Has the platform write a space to a branch, and waits for the end, which may be a failure. An export that an earlier
 * try began is waited for in place of a new one.
 */
export async function runGitExport(
  client: PlatformClient,
  spaceId: string,
  body: ExportBody,
  signal: AbortSignal,
): Promise<GitOperation> {
  const list = async () => {
    const { items } = await client.call(operations.listGitOperations, {
      params: { spaceId },
      query: { limit: RECENT },
    });
    return items.filter((one) => one.direction === 'export' && one.ref === body.ref);
  };
  const before = await list();
  const running = before.find((one) => one.state === 'running');
  if (!running) await client.call(operations.exportGit, { params: { spaceId }, body });
  const known = new Set(before.map((one) => one.id));
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 1.5, LONGEST_WAIT_MS)) {
    const ours = (await list()).find((one) => (running ? one.id === running.id : !known.has(one.id)));
    if (ours !== undefined && ours.state !== 'running') return ours;
    await pause(wait, undefined, { signal });
  }
}
