import {
  type GitOperation,
  type InputOf,
  operations,
  type PlatformClient,
  startGitOperation,
  waitForAnswer,
} from '../../client/index.ts';

type ExportBody = InputOf<typeof operations.exportGit>['body'];

const RECENT = 50;
/** Below the job's own limit. */
const TIME_LIMIT_MS = 12 * 60_000;

/**
 * Exports a space to a branch through the platform, and waits until the export has completed or failed. When an earlier
 * attempt started an export that still runs, waits for that instead.
 *
 * @param isNeeded called when none runs: the one of an earlier attempt may have completed since the space was read.
 * @returns null when it is not needed
 */
export async function runGitExport(
  client: PlatformClient,
  spaceId: string,
  body: ExportBody,
  { isNeeded, signal }: { readonly isNeeded: () => Promise<boolean>; readonly signal: AbortSignal },
): Promise<GitOperation | null> {
  const list = async () => {
    const { items } = await client.call(operations.listGitOperations, {
      params: { spaceId },
      query: { limit: RECENT },
    });
    return items.filter(({ direction, ref }) => direction === 'export' && ref === body.ref);
  };
  const running = (await list()).find(({ state }) => state === 'running');
  if (running === undefined && !(await isNeeded())) return null;
  const id = running?.id ?? (await startGitOperation(client, spaceId, { direction: 'export', body }, signal));
  const completed = async () => {
    const operation = (await list()).find((candidate) => candidate.id === id);
    return operation?.state === 'running' ? null : operation;
  };
  const overdue = () => new Error(`The export to ${body.ref} did not complete within 12 minutes.`);
  return await waitForAnswer(completed, { patienceMs: TIME_LIMIT_MS, overdue, signal });
}
