import {
  type GitOperation,
  type InputOf,
  operations,
  type PlatformClient,
  waitForAnswer,
} from '../../client/index.ts';

type ExportBody = InputOf<typeof operations.exportGit>['body'];

const RECENT = 50;
/** Below the job's own limit. */
const PATIENCE_MS = 12 * 60_000;

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
  const ended = async () => {
    const ours = (await list()).find((one) => (running ? one.id === running.id : !known.has(one.id)));
    return ours?.state === 'running' ? null : ours;
  };
  const overdue = () =>
    new Error(`The export to ${body.ref} did not end within 12 minutes; it is looked at again.`);
  return await waitForAnswer(ended, { patienceMs: PATIENCE_MS, overdue, signal });
}
