import {
  hasStatusCode,
  isOutOfReach,
  nullWhenMissing,
  type Octokit,
  type PullParameters,
  readGrantedPermissions,
  readRepository,
  readShownLines,
  readTextFile,
  type ShownLines,
  splitName,
} from '../../github/index.ts';
import { PermanentFailure } from '../../queue/index.ts';
import {
  listMirroredComments,
  listPullChangeRequests,
  loadRepository,
  recordMirrorError,
  recordPullState,
} from '../../store/index.ts';
import type { SyncDeps } from '../deps.ts';
import { copyFromGitHub } from './copy-from-github.ts';
import { adoptCopies, copyToGitHub } from './copy-to-github.ts';
import { listLocalThreads } from './local-comments.ts';
import type { Mirror } from './mirror.ts';
import { listRemoteComments } from './remote-comments.ts';
import { wantsMirror } from './wants-mirror.ts';

/**
 * Compares what is said on an open pull request with what is said here about the change requests that it carries, and copies
 * what is on one side only. Whatever was interrupted goes on: copies on GitHub are known by a mark in their text, and copies
 * here by the address that they come from.
 *
 * @throws when it must be retried; what a person has to do about it is recorded.
 */
export async function mirrorComments(
  deps: SyncDeps,
  { repositoryId, number }: { readonly repositoryId: number; readonly number: number },
  signal: AbortSignal,
): Promise<void> {
  const { db } = deps;
  const key = { repositoryId, pullNumber: number };
  const [carried, known] = await Promise.all([
    listPullChangeRequests(db, key),
    loadRepository(db, repositoryId),
  ]);
  if (carried.length === 0 || !wantsMirror(known)) return;
  const octokit = await deps.access.on(known.installationId, { signal });
  const repository = await readRepository(octokit, splitName(known.fullName));
  if (repository === null || repository.id !== repositoryId || repository.archived) return;
  const parameters = { owner: repository.owner, repo: repository.name, pull_number: number };
  try {
    const pull = await nullWhenMissing(octokit.rest.pulls.get(parameters));
    const isOpen = pull?.data.state === 'open';
    await recordPullState(db, key, isOpen ? 'open' : 'closed');
    if (pull === null || !isOpen) return;
    const headOid = pull.data.head.sha;
    const mirror: Mirror = {
      deps,
      octokit,
      repository,
      key,
      parameters,
      headOid,
      carried,
      remote: await listRemoteComments(octokit, parameters, await ownLogin(deps, signal)),
      local: await listLocalThreads(deps.client, carried, signal),
      rows: [...(await listMirroredComments(db, key))],
      readFile: once(async (path) => {
        const read = await readTextFile(octokit, repository, path, headOid);
        return read !== null && 'text' in read ? read.text : null;
      }),
      readShown: onceFor(octokit, parameters),
      signal,
    };
    await adoptCopies(mirror);
    await copyFromGitHub(mirror);
    await copyToGitHub(mirror);
  } catch (error) {
    if (signal.aborted || !hasStatusCode(error, 403) || !isOutOfReach(error)) throw error;
    const reason = `The App may not comment on pull requests of ${repository.fullName}: accept its permission “Pull requests: Read and write”, or remove \`mirror-comments\` from the configuration.`;
    await recordMirrorError(db, key, reason);
    // A token of before a new grant is renewed, so that the next run succeeds.
    await readGrantedPermissions(octokit, { pull_requests: 'write' });
    throw new PermanentFailure(reason);
  }
  await recordMirrorError(db, key, null);
}

/** By which comments of the App are known. */
async function ownLogin(deps: SyncDeps, signal: AbortSignal): Promise<string> {
  const app = await deps.access.app({ signal });
  const { data } = await app.rest.apps.getAuthenticated();
  return `${data?.slug ?? 'docloom'}[bot]`;
}

function once<T>(read: (name: string) => Promise<T>): (name: string) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (name) => {
    const reading = known.get(name) ?? read(name);
    known.set(name, reading);
    return reading;
  };
}

function onceFor(octokit: Octokit, parameters: PullParameters): () => Promise<ShownLines> {
  let reading: Promise<ShownLines> | undefined;
  return () => (reading ??= readShownLines(octokit, parameters));
}
