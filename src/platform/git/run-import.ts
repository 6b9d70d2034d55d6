import { createHash } from 'node:crypto';
import type { RepositoryAddress, TreeEntry } from '../../content/index.ts';
import type { GitCommit, GitRemote, GitRepository } from '../../git/repository.ts';
import { type GitOperationRow, noteProgress } from '../../store/git-operations.ts';
import {
  findRevisionByInputs,
  loadRevision,
  type RevisionOrigin,
  type RevisionRow,
} from '../../store/revisions.ts';
import { loadSpace, type SpaceRow } from '../../store/spaces.ts';
import type { PlatformDeps } from '../deps.ts';
import { type DerivedRevision, deriveRevision } from '../revisions/derive-revision.ts';
import { createKeptReader } from '../revisions/read-kept.ts';
import { carryEdits, findEdited } from './carry-edits.ts';
import { LostTurn, OperationFault } from './operation-fault.ts';
import { publishBeside, publishRevision, publishUnchanged, type SourceCommit } from './publish-revision.ts';
import { type StoredImport, toRemote } from './stored-import.ts';

/** Counts up when the same tree is derived differently, so that an import does not take the old result for its own. */
const derivationVersion = 3;

/** More files than this are no documentation. Named in the failure. */
const maxTreeEntries = 500_000;

export interface ImportContext {
  readonly deps: PlatformDeps;
  /** As it was begun: its `attempts` are the fence of this run. */
  readonly run: GitOperationRow;
  readonly signal: AbortSignal;
}

/**
 * Brings a branch's tip into a space: fetch, check, derive, and one transaction at the end that writes the revision
 * and ends the operation. Until then nothing is seen, so a run that was killed is simply run again.
 */
export async function runImport(context: ImportContext): Promise<void> {
  const { deps, run, signal } = context;
  const request = run.request as StoredImport;
  const space = await loadSpace(deps.db, run.spaceId);
  if (!space)
    throw new OperationFault('space-deleted', 'The space was deleted, so nothing is imported into it.');
  if (space.editMode === 'locked') {
    throw new OperationFault(
      'space-locked',
      'The space is locked; set its editMode to live and import again.',
    );
  }

  const remote = toRemote(request, run.sealedCredentials, deps.sealer);
  // Two organizations never share a cache: what one may fetch, the other may not.
  const cacheId = `${space.organizationId}:${request.repoCacheID ?? request.url}`;
  const repository = await deps.git.repository(cacheId);
  const commitOid = await repository.fetchRef(remote, run.ref, { signal });

  await note(context, { stage: 'config_check', commitOid, progress: null });
  const source = await readSource(repository, run, request, commitOid);
  const current = await loadCurrent(deps, space);
  const same = request.force ? null : await findSame(context, space, current, source);
  if (same) return await publishUnchanged(context, { space, current: same, source });

  await note(context, { stage: 'content_process' });
  const commit = { space, current, repository, remote, request, source };
  const carried = await carry(context, commit);
  const content = await deriveCommit(context, { ...commit, space: carried.space }, carried.tree);
  await note(context, { stage: 'finalize', progress: null });
  const outcome = { ...carried, current, source, content };
  if (!run.standalone && !request.force && content.derived.unchanged) {
    return await publishUnchanged(context, {
      ...outcome,
      syncedRevisionId: carried.syncedRevisionId ?? current.id,
    });
  }
  await publishRevision(context, outcome);
}

interface FetchedCommit {
  readonly space: SpaceRow;
  readonly current: RevisionRow;
  readonly repository: GitRepository;
  readonly remote: GitRemote;
  readonly request: StoredImport;
  readonly source: SourceCommit;
}

/** The commit's tree, with what was edited on the platform since the last sync, and the revision that is the commit's own. */
async function carry(
  context: ImportContext,
  commit: FetchedCommit,
): Promise<{ tree: readonly TreeEntry[]; space: SpaceRow; syncedRevisionId: string | null }> {
  const { deps, run } = context;
  const { space, current, request, source, repository } = commit;
  const tree = await readWholeTree(repository, source.oid);
  if (run.standalone || request.force) return { tree, space, syncedRevisionId: null };
  const rows = await deps.deriver.memory.load(deps.db, current);
  const carried = await carryEdits(
    deps,
    space,
    { revision: current, rows },
    { tree, directory: request.directory },
  );
  if (!carried.hasEdits) return { tree, space, syncedRevisionId: null };
  if (carried.isSyncedStill) return { tree: carried.tree, space, syncedRevisionId: space.syncedRevisionId };
  // What the branch itself holds stands beside, so that an export can tell what is new here.
  const tip = await deriveCommit(context, commit, tree, { keepMoves: false });
  const { id } = await publishBeside(context, { space, current, source, content: tip });
  const fresh = await loadSpace(deps.db, space.id);
  if (!fresh)
    throw new OperationFault('space-deleted', 'The space was deleted, so nothing is imported into it.');
  return { tree: carried.tree, space: fresh, syncedRevisionId: id };
}

async function readWholeTree(repository: GitRepository, commitOid: string): Promise<readonly TreeEntry[]> {
  const tree = await repository.readTree(commitOid);
  if (tree.length <= maxTreeEntries) return tree;
  throw new OperationFault(
    'too-large',
    `The repository has ${tree.length} files, and ${maxTreeEntries} are the most that can be imported.`,
  );
}

async function loadCurrent(deps: PlatformDeps, space: SpaceRow): Promise<RevisionRow> {
  const current = space.revisionId === null ? null : await loadRevision(deps.db, space.id, space.revisionId);
  if (!current) throw new Error(`Space ${space.id} has no content, not even an empty one.`);
  return current;
}

async function readSource(
  repository: GitRepository,
  run: GitOperationRow,
  request: StoredImport,
  commitOid: string,
): Promise<SourceCommit> {
  const commit = await repository.readCommit(commitOid);
  const treeOid = await repository.readTreeOid(commitOid, request.directory);
  if (treeOid === null) {
    throw new OperationFault(
      'directory-not-found',
      `The folder ${request.directory} is not in the commit ${commitOid.slice(0, 12)} of ${run.ref}; check the folder's name, upper and lower case included.`,
      { path: request.directory },
    );
  }
  return {
    oid: commitOid,
    message: commit.message,
    rootTreeOid: commit.tree,
    treeOid,
    ref: run.ref,
    url:
      request.repoCommitURL === undefined ? null : `${request.repoCommitURL.replace(/\/$/, '')}/${commitOid}`,
    inputs: inputsOf(request, run.ref, commit),
  };
}

/** Names all that the content is derived from. */
function inputsOf(request: StoredImport, ref: string, commit: GitCommit): string {
  const { directory, repoTreeURL, gitInfo } = request;
  const inputs = [derivationVersion, commit.tree, directory, ref, repoTreeURL ?? null, gitInfo?.url ?? null];
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex');
}

/** The revision that this import would make again: the current one, or for a standalone import any of the space. */
async function findSame(
  { deps, run }: ImportContext,
  space: SpaceRow,
  current: RevisionRow,
  source: SourceCommit,
): Promise<RevisionRow | null> {
  if (current.inputs === source.inputs) return current;
  return run.standalone ? await findRevisionByInputs(deps.db, space.id, source.inputs) : null;
}

async function deriveCommit(
  context: ImportContext,
  { space, current, repository, remote, request }: FetchedCommit,
  tree: readonly TreeEntry[],
  options: { readonly keepMoves: boolean } = { keepMoves: !context.run.standalone },
): Promise<DerivedRevision> {
  const { deps, run, signal } = context;
  const kept = createKeptReader(deps);
  const edited = new Set(await findEdited(deps, space, current));
  return await deriveRevision(deps, {
    space,
    base: current,
    tree,
    directory: request.directory,
    readBlobs: async function* (oids) {
      const own = oids.filter((oid) => edited.has(oid));
      if (own.length > 0) yield* kept(own);
      const others = oids.filter((oid) => !edited.has(oid));
      if (others.length > 0) yield* repository.readBlobs(others, remote, { signal });
    },
    origin: originOf(request, run.ref),
    ...options,
    onProgress: createProgress(context),
  });
}

/** What the caller said of where the repository is for people. */
export function originOf(request: StoredImport, ref: string): RevisionOrigin {
  const repository = addressOf(request, ref);
  return {
    ...(request.repoTreeURL === undefined ? {} : { treeUrl: request.repoTreeURL }),
    ...(repository === undefined ? {} : { repository }),
  };
}

/** The repository's address for people, so that links to its own web pages count as links into the tree. */
function addressOf(request: StoredImport, ref: string): RepositoryAddress | undefined {
  const url = URL.parse(request.gitInfo?.url ?? '');
  const fullName = url?.pathname.replace(/^\/|\.git$|\/$/g, '');
  if (request.gitInfo?.provider !== 'github' || !url || !fullName || !ref.startsWith('refs/heads/'))
    return undefined;
  return { fullName, branch: ref.slice('refs/heads/'.length), htmlHost: url.host };
}

/** Notes progress at most twice a second: a reader wants to see it move, and each note is a write. */
function createProgress(context: ImportContext): (done: number, total: number) => Promise<void> {
  let next = Date.now() + 500;
  return async (done, total) => {
    if (Date.now() < next) return;
    next = Date.now() + 500;
    await note(context, { progress: { done, total } });
  };
}

async function note(
  { deps, run, signal }: ImportContext,
  progress: Partial<Pick<GitOperationRow, 'stage' | 'progress' | 'commitOid'>>,
): Promise<void> {
  signal.throwIfAborted();
  if (!(await noteProgress(deps.db, run, progress))) throw new LostTurn('Another run took over.');
}
