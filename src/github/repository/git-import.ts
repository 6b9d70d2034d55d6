import { type GitOperation, operations, type PlatformClient, waitForAnswer } from '../../client/index.ts';
import type { GitRemote } from '../../git/index.ts';
import type { Binding } from '../../store/index.ts';
import type { Repository } from '../api/index.ts';

/** Enough to find what is live and what runs; older operations do not matter. */
const RECENT = 50;

const BRANCHES = 'refs/heads/';

/** Below the job's own limit of 15 minutes. */
const TIME_LIMIT_MS = 12 * 60_000;

/** A sync that cannot continue now: a sentence for people. */
export class SyncError extends Error {
  override readonly name = 'SyncError';
}

/** The imports of a branch into a space, newest first; for a pull request's ref, those of previews. */
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
    ({ direction, standalone, ref: importedRef }) =>
      direction === 'import' && standalone === !ref.startsWith(BRANCHES) && importedRef === ref,
  );
}

/** The import of the live content; null also where the platform lost bytes of it, which another import fetches. */
export function findLive(imports: readonly GitOperation[]): GitOperation | null {
  const live = imports.find(({ state, skipped }) => state === 'success' && !skipped) ?? null;
  return live?.lost?.isDue === true ? null : live;
}

/** Waits until an import has completed, and returns it. */
export async function waitForImport(
  client: PlatformClient,
  { spaceId, ref, id }: { readonly spaceId: string; readonly ref: string; readonly id: string },
  signal: AbortSignal,
): Promise<GitOperation> {
  const completed = async () => {
    const operation = (await listImports(client, spaceId, ref)).find((candidate) => candidate.id === id);
    return operation?.state === 'running' ? null : operation;
  };
  const overdue = () =>
    new SyncError(`The import into the space ${spaceId} did not complete within 12 minutes.`);
  return await waitForAnswer(completed, { patienceMs: TIME_LIMIT_MS, overdue, signal });
}

/** The fields about the repository in every import and export of a bound directory. */
export function gitBody(
  repository: Repository,
  { branch, directory }: Pick<Binding, 'branch' | 'directory'>,
  { url, credentials }: GitRemote,
) {
  const address = new URL(url);
  address.username = credentials?.username ?? '';
  address.password = credentials?.password ?? '';
  return {
    url: address.href,
    repoCacheID: String(repository.id),
    repoProjectDirectory: directory,
    repoTreeURL: `${repository.htmlUrl}/blob/${encodePath(branch)}/`,
    repoCommitURL: `${repository.htmlUrl}/commit/`,
    gitInfo: { provider: 'github', url: repository.htmlUrl },
  };
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
