import type { TreeEntry } from '../../content/index.ts';
import {
  GitError,
  type GitFileChange,
  type GitRemote,
  type GitRepository,
  type NewCommit,
} from '../../git/index.ts';
import {
  insertGitOperation,
  loadLastExported,
  loadRevision,
  loadSpace,
  lockSpaceForUpdate,
  markSynced,
  moveRevisionCommit,
  newId,
  type RevisionRow,
  type SpaceRow,
  succeedOperation,
} from '../../store/index.ts';
import { ApiError } from '../api/api-error.ts';
import type { PlatformDeps } from '../deps.ts';
import { type LoadedContent, loadContent } from '../revisions/load-content.ts';
import { areSame, isSameEntry, mergeTrees } from '../revisions/merge-trees.ts';
import { createStoredReader } from '../revisions/read-stored.ts';
import { filesInside } from '../revisions/space-tree.ts';
import { loadSynced, refuseConflicts, toFiles } from './carry-edits.ts';
import { gitOperationJob } from './git-operation-job.ts';
import { gitSyncOf } from './git-sync.ts';
import { OperationFailure, TakenOver } from './operation-failure.ts';
import { type OperationContext, recordProgress } from './record-progress.ts';
import { commitUrlOf, inputsOf } from './source-commit.ts';
import { cacheIdOf, type StoredExport, toRemote } from './stored-request.ts';

/** Attempts if the branch moves between the fetch and the push. */
const MAX_ATTEMPTS = 5;

type Files = ReadonlyMap<string, TreeEntry>;

interface ExportSides {
  readonly space: SpaceRow;
  readonly current: LoadedContent;
  /** The last synced revision, with its branch and commit; null if the space was never synced. */
  readonly origin: RevisionRow | null;
}

/** The state of the branch that a commit is pushed to. */
interface Tip {
  /** The branch's commit; null if the branch does not exist yet. */
  readonly expected: string | null;
  /** The parent of the new commit: for a new branch, the commit that the space was last synced with. */
  readonly parent: string | null;
  /** The files at the last sync of the space with this branch. */
  readonly synced: Files;
}

/** The pushed commit, or the branch's tip if no commit was needed. */
interface Exported {
  readonly commitOid: string;
  /** The tree of the space's folder, if it is known. */
  readonly treeOid: string | null;
  readonly rootTreeOid: string;
  readonly isNew: boolean;
  /** Whether the branch has changes that the space does not have yet. */
  readonly isBehind: boolean;
}

/**
 * Writes what was edited in a space as one commit on the branch's tip: only the files that differ, everything else stays
 * byte-identical. What others changed on the branch stays. A run that was killed after its push finds its commit there
 * and creates no other.
 */
export async function runExport(context: OperationContext): Promise<void> {
  const { deps, run } = context;
  const request = run.request as StoredExport;
  const space = await loadSpace(deps.db, run.spaceId);
  if (!space)
    throw new OperationFailure('space-deleted', 'The space was deleted, so nothing is exported from it.');
  const remote = toRemote(request, run.sealedCredentials, deps.sealer);
  const repository = await deps.git.repository(cacheIdOf(space, request));
  const current = await loadContent(deps, space, space.revisionId);
  const { syncedRevisionId } = space;
  const origin = syncedRevisionId === null ? null : await loadRevision(deps.db, space.id, syncedRevisionId);
  const sides = { space, current, origin };
  for (let attempt = 1; ; attempt += 1) {
    const tip = await fetchTip(context, { ...sides, repository, remote });
    await recordProgress(context, { stage: 'content_process', progress: null });
    try {
      const exported = await exportOnto(context, { ...sides, repository, remote, tip });
      return await completeExport(context, sides, exported, repository);
    } catch (error) {
      const isOvertaken = error instanceof GitError && error.code === 'ref-moved';
      if (!isOvertaken || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

interface Target extends ExportSides {
  readonly repository: GitRepository;
  readonly remote: GitRemote;
}

async function fetchTip({ deps, run, signal }: OperationContext, target: Target): Promise<Tip> {
  const { space, origin, repository, remote } = target;
  try {
    const oid = await repository.fetchRef(remote, run.ref, { signal });
    const isOwn = origin === null || origin.ref === run.ref;
    const exported = isOwn ? null : await loadExported(deps, space, run.ref);
    return { expected: oid, parent: oid, synced: exported ?? (await loadSynced(deps, space)) };
  } catch (error) {
    if (!(error instanceof GitError) || error.code !== 'ref-not-found') throw error;
  }
  const parent = origin?.commitOid ?? null;
  if (parent !== null) await repository.fetchCommit(remote, parent, { signal });
  return { expected: null, parent, synced: await loadSynced(deps, space) };
}

/** The files that the last export wrote to a branch other than the space's own, such as that of a pull request. */
async function loadExported(deps: PlatformDeps, space: SpaceRow, ref: string): Promise<Files | null> {
  const revisionId = await loadLastExported(deps.db, space.id, ref);
  if (revisionId === null || (await loadRevision(deps.db, space.id, revisionId)) === null) return null;
  return toFiles(await loadContent(deps, space, revisionId));
}

async function exportOnto(
  context: OperationContext,
  sides: Target & { readonly tip: Tip },
): Promise<Exported> {
  const { deps, run, signal } = context;
  const { current, repository, remote, tip } = sides;
  const request = run.request as StoredExport;
  const tree = tip.parent === null ? [] : await repository.readTree(tip.parent);
  const branch = filesInside(tree, request.directory);
  const files = toFiles(current);
  const merged = mergeTrees(tip.synced, branch, files, { prefer: request.force ? 'theirs' : null });
  refuseConflicts(merged.conflicts, request.directory);
  const changes = await changesBetween(context, branch, merged.tree, new Set(tree.map((entry) => entry.oid)));
  const isBehind = !areSame(merged.tree, files);
  if (changes.length === 0) {
    if (tip.parent === null) {
      throw new OperationFailure(
        'nothing-to-export',
        `The space is empty and the branch ${run.ref} does not exist; write a page first.`,
      );
    }
    const commit = await repository.readCommit(tip.parent);
    const treeOid = await repository.readTreeOid(tip.parent, request.directory);
    // Pushed by a run that was killed before it completed.
    const isNew = run.commitOid === tip.parent;
    return { commitOid: tip.parent, treeOid, rootTreeOid: commit.tree, isNew, isBehind };
  }
  const commit = await buildCommit(context, repository, tip.parent, changes);
  await recordProgress(context, { stage: 'finalize', commitOid: commit.oid });
  await repository.push(remote, run.ref, commit, { signal, expected: tip.expected });
  deps.log.info({ operation: run.id, commit: commit.oid, files: changes.length }, 'commit pushed');
  return { commitOid: commit.oid, treeOid: null, rootTreeOid: commit.tree, isNew: true, isBehind };
}

async function buildCommit(
  { deps, run }: OperationContext,
  repository: GitRepository,
  parent: string | null,
  changes: readonly GitFileChange[],
): Promise<NewCommit> {
  const { commitMessage, author, committer } = run.request as StoredExport;
  const own = { name: 'Docloom', email: `docloom@${new URL(deps.publicUrl).hostname}` };
  // The operation's own time, so that a second run on the same tip creates the same commit.
  const at = run.createdAt;
  return await repository.buildCommit({
    parent,
    changes,
    message: commitMessage,
    author: { ...(author ?? own), at },
    committer: { ...(committer ?? author ?? own), at },
  });
}

/** The changes of a commit after which the branch has the wanted files. */
async function changesBetween(
  { deps, run }: OperationContext,
  branch: Files,
  wanted: Files,
  onBranch: ReadonlySet<string>,
): Promise<readonly GitFileChange[]> {
  const { directory } = run.request as StoredExport;
  const inRepository = (path: string) => (directory === '' ? path : `${directory}/${path}`);
  const written = [...wanted].filter(([path, entry]) => !isSameEntry(branch.get(path), entry));
  const unknown = new Set(
    written.flatMap(([, { oid, mode }]) => (mode === 'submodule' || onBranch.has(oid) ? [] : [oid])),
  );
  const bytes = new Map<string, Uint8Array>();
  try {
    for await (const blob of createStoredReader(deps, run.spaceId)([...unknown]))
      bytes.set(blob.oid, blob.bytes);
  } catch (error) {
    if (error instanceof ApiError) throw new OperationFailure('bytes-missing', error.message);
    throw error;
  }
  const deleted = [...branch.keys()].filter((path) => !wanted.has(path));
  return [
    ...written.map(([path, { oid, mode }]) => {
      if (unknown.has(oid) && !bytes.has(oid)) {
        throw new OperationFailure(
          'bytes-missing',
          `The bytes of ${inRepository(path)} are not stored here, so it cannot be exported; import the repository again.`,
          { path: inRepository(path) },
        );
      }
      return { path: inRepository(path), file: { oid, mode, bytes: bytes.get(oid) ?? null } };
    }),
    ...deleted.map((path) => ({ path: inRepository(path), file: null })),
  ];
}

async function completeExport(
  context: OperationContext,
  { space, current, origin }: ExportSides,
  exported: Exported,
  repository: GitRepository,
): Promise<void> {
  const { deps, run } = context;
  const request = run.request as StoredExport;
  const { commitOid, rootTreeOid, isNew, isBehind } = exported;
  const isOwnBranch = origin === null || origin.ref === run.ref;
  await deps.db.transaction(async (tx) => {
    await lockSpaceForUpdate(tx, space.id);
    const done = await succeedOperation(tx, run, {
      revisionId: current.revision.id,
      commitOid,
      unchanged: !isNew,
      message: isNew
        ? describe(commitOid, run.ref)
        : 'The branch already has all edits, so no commit was needed.',
    });
    if (!done) throw new TakenOver('Another run took over.');
    // A branch other than the space's own is a copy: for the space's own branch, the edits are still not exported.
    if (!isOwnBranch) return;
    if (isBehind) {
      // The branch has changes that the space does not have: an import brings them.
      await insertGitOperation(tx, {
        id: newId(),
        spaceId: space.id,
        direction: 'import',
        request: { ...request, force: false },
        sealedCredentials: run.sealedCredentials,
        timestamp: new Date(),
        ref: run.ref,
        standalone: false,
      });
      await deps.queue.enqueue(tx, gitOperationJob, { spaceId: space.id });
      return;
    }
    await moveRevisionCommit(tx, current.revision.id, {
      commitOid,
      treeOid: exported.treeOid,
      rootTreeOid,
      inputs: inputsOf(request, run.ref, rootTreeOid),
      ref: run.ref,
      message: isNew ? request.commitMessage : (await repository.readCommit(commitOid)).message,
      commitUrl: commitUrlOf(request, commitOid),
      createdByService:
        isNew || (current.revision.createdByService && current.revision.commitOid === commitOid),
    });
    await markSynced(tx, space.id, { syncedRevisionId: current.revision.id, gitSync: gitSyncOf(request) });
  });
  if (isOwnBranch && !isBehind) deps.deriver.contents.set({ ...current.revision, commitOid }, current.rows);
}

function describe(commitOid: string, ref: string): string {
  return `Exported as the commit ${commitOid.slice(0, 12)} on ${ref.replace(/^refs\/heads\//, '')}.`;
}
