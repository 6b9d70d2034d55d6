import type { TreeEntry } from '../../content/index.ts';
import type { GitRemote, GitRepository } from '../../git/index.ts';
import {
  findRevisionByInputs,
  listLostBytes,
  loadRevision,
  loadSpace,
  type RevisionRow,
  recordSoughtBytes,
  type SpaceRow,
} from '../../store/index.ts';
import type { PlatformDeps } from '../deps.ts';
import { type DerivedRevision, deriveRevision } from '../revisions/derive-revision.ts';
import type { RefusedEntry } from '../revisions/find-notices.ts';
import { createStoredReader } from '../revisions/read-stored.ts';
import { carryEdits, type EditedSpace, loadEdited } from './carry-edits.ts';
import { type FindLastChange, findLastChanges } from './last-changes.ts';
import { OperationFailure } from './operation-failure.ts';
import { publishRevision, publishUnchanged, writeBranchRevision } from './publish-revision.ts';
import { type OperationContext, recordProgress } from './record-progress.ts';
import { readSourceCommit, type SourceCommit, toRevisionOrigin } from './source-commit.ts';
import { cacheIdOf, type StoredImport, toRemote } from './stored-request.ts';

/** The most files that a repository may have; a larger one is not documentation. */
const maxTreeEntries = 500_000;

/**
 * Imports a branch's tip into a space: fetch, check, derive, and one transaction at the end that writes the revision and
 * completes the operation. Nothing is visible before that, so a killed run is simply started again.
 */
export async function runImport(context: OperationContext): Promise<void> {
  const { deps, run, signal } = context;
  const request = run.request as StoredImport;
  const space = await loadSpace(deps.db, run.spaceId);
  if (!space)
    throw new OperationFailure('space-deleted', 'The space was deleted, so nothing is imported into it.');
  if (space.editMode === 'locked') {
    throw new OperationFailure(
      'space-locked',
      'The space is locked; set its editMode to live and import again.',
    );
  }

  const remote = toRemote(request, run.sealedCredentials, deps.sealer);
  const repository = await deps.git.repository(cacheIdOf(space, request));
  const commitOid = await repository.fetchRef(remote, run.ref, { signal });

  await recordProgress(context, { stage: 'config_check', commitOid, progress: null });
  const source = await readSourceCommit(repository, run, request, commitOid);
  const current = await loadCurrent(deps, space);
  const lost = await listLostBytes(deps.db, space.id);
  const isFetchedAgain = [...lost.values()].includes(null);
  const equal =
    request.force || isFetchedAgain ? null : await findEqualRevision(context, space, current, source);
  if (equal) return await publishUnchanged(context, { space, current: equal, source });

  await recordProgress(context, { stage: 'content_process' });
  const { tree, refused } = await readWholeTree(repository, commitOid);
  const ignoresEdits = run.standalone || request.force;
  const edits = ignoresEdits ? null : await loadEdited(deps, space, current);
  const changedAt = await findLastChanges(context, { current, repository, remote, source, request });
  const commit = {
    ...{ space, current, repository, remote, request, source, changedAt, tree, refused, edits },
    lost: new Set(lost.keys()),
  };
  const carried = await applyEdits(context, commit);
  const content = await deriveCommit(context, { ...commit, space: carried.space }, carried.tree);
  await recordProgress(context, { stage: 'finalize', progress: null });
  const restored = await recordSoughtBytes(deps.db, space.id, [...lost.keys()]);
  const outcome = { ...carried, current, source, content, restored };
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
  readonly changedAt: FindLastChange;
  readonly tree: readonly TreeEntry[];
  /** Entries of the commit that are left out of `tree`. */
  readonly refused: readonly RefusedEntry[];
  /** What was edited on the platform; null if nothing was, or if edits are ignored. */
  readonly edits: EditedSpace | null;
  /** Bytes that the space received and that were lost. */
  readonly lost: ReadonlySet<string>;
}

/** The commit's tree with what was edited on the platform since the last sync, and the revision of the commit's own tree. */
async function applyEdits(
  context: OperationContext,
  commit: FetchedCommit,
): Promise<{ tree: readonly TreeEntry[]; space: SpaceRow; syncedRevisionId: string | null }> {
  const { deps } = context;
  const { space, current, request, source, tree, edits } = commit;
  if (edits === null) return { tree, space, syncedRevisionId: null };
  const carried = carryEdits(edits, space, { tree, directory: request.directory });
  if (!carried.hasEdits) return { tree, space, syncedRevisionId: null };
  if (carried.isStillSynced) return { tree: carried.tree, space, syncedRevisionId: space.syncedRevisionId };
  // The branch's own content is stored as a revision, too, so that an export can find out what was edited here.
  const tip = await deriveCommit(context, commit, tree, { becomesCurrent: false });
  const { id } = await writeBranchRevision(context, { space, current, source, content: tip });
  const fresh = await loadSpace(deps.db, space.id);
  if (!fresh)
    throw new OperationFailure('space-deleted', 'The space was deleted, so nothing is imported into it.');
  return { tree: carried.tree, space: fresh, syncedRevisionId: id };
}

async function readWholeTree(
  repository: GitRepository,
  commitOid: string,
): Promise<Pick<FetchedCommit, 'tree' | 'refused'>> {
  const refused: RefusedEntry[] = [];
  const tree = await repository.readTree(commitOid, { onSkipped: (entry) => refused.push(entry) });
  if (tree.length <= maxTreeEntries) return { tree, refused };
  throw new OperationFailure(
    'too-large',
    `The repository has ${tree.length} files, and at most ${maxTreeEntries} can be imported.`,
  );
}

async function loadCurrent(deps: PlatformDeps, space: SpaceRow): Promise<RevisionRow> {
  const current = space.revisionId === null ? null : await loadRevision(deps.db, space.id, space.revisionId);
  if (!current) throw new Error(`Space ${space.id} has no content, not even an empty one.`);
  return current;
}

/** The revision that this import would create again: the current one, or for a standalone import any of the space. */
async function findEqualRevision(
  { deps, run }: OperationContext,
  space: SpaceRow,
  current: RevisionRow,
  source: SourceCommit,
): Promise<RevisionRow | null> {
  if (current.inputs === source.inputs) return current;
  return run.standalone ? await findRevisionByInputs(deps.db, space.id, source.inputs) : null;
}

async function deriveCommit(
  context: OperationContext,
  { space, current, repository, remote, request, source, changedAt, refused, edits, lost }: FetchedCommit,
  tree: readonly TreeEntry[],
  options: { readonly becomesCurrent: boolean } = { becomesCurrent: !context.run.standalone },
): Promise<DerivedRevision> {
  const { deps, run, signal } = context;
  const readStored = createStoredReader(deps, space.id, { lost: 'leave-out' });
  const isEdited = (oid: string) => edits?.edited.has(oid) === true;
  return await deriveRevision(deps, {
    space,
    base: current,
    tree,
    directory: request.directory,
    readBlobs: async function* (oids) {
      const edited = oids.filter(isEdited);
      if (edited.length > 0) yield* readStored(edited);
      const unedited = oids.filter((oid) => !isEdited(oid));
      if (unedited.length > 0) yield* repository.readBlobs(unedited, remote, { signal, commit: source.oid });
    },
    origin: toRevisionOrigin(request, run.ref),
    refused,
    changedAt,
    lost,
    ...options,
    onProgress: createProgress(context),
  });
}

/** Records progress at most twice a second, since each record is a write. */
function createProgress(context: OperationContext): (done: number, total: number) => Promise<void> {
  let next = Date.now() + 500;
  return async (done, total) => {
    if (Date.now() < next) return;
    next = Date.now() + 500;
    await recordProgress(context, { progress: { done, total } });
  };
}
