import type { TreeEntry } from '../../content/index.ts';
import type { RevisionRow, SpaceRow } from '../../store/index.ts';
import type { PlatformDeps } from '../deps.ts';
import { toTree } from '../revisions/derive-revision.ts';
import { type LoadedContent, loadContent } from '../revisions/load-content.ts';
import { areSame, mergeTrees } from '../revisions/merge-trees.ts';
import { filesInside, withFilesInside } from '../revisions/space-tree.ts';
import { OperationFailure } from './operation-failure.ts';

type Files = ReadonlyMap<string, TreeEntry>;

/** The files of a space, by their path in its folder. */
export function toFiles({ revision, rows }: LoadedContent): Files {
  return filesInside(toTree(rows), revision.directory);
}

/** The files of a space as they were at the last sync with its branch; none before the first. */
export async function loadSynced(deps: PlatformDeps, space: SpaceRow): Promise<Files> {
  if (space.syncedRevisionId === null) return new Map();
  return toFiles(await loadContent(deps, space, space.syncedRevisionId));
}

/** The files of a space, and those that it had at the last sync with its branch. */
export interface EditedSpace {
  readonly files: Files;
  readonly synced: Files;
  /** The oids of files that the branch did not have at the last sync, so it may not have their bytes now. */
  readonly edited: ReadonlySet<string>;
}

/** What was edited on the platform since the last sync; null if nothing can have been edited. */
export async function loadEdited(
  deps: PlatformDeps,
  space: SpaceRow,
  current: RevisionRow,
): Promise<EditedSpace | null> {
  if (space.syncedRevisionId === current.id) return null;
  const synced = await loadSynced(deps, space);
  const files = toFiles({ revision: current, rows: await deps.deriver.contents.load(deps.db, current) });
  const known = new Set<string>();
  for (const { oid } of synced.values()) known.add(oid);
  const edited = new Set<string>();
  for (const { oid } of files.values()) if (!known.has(oid)) edited.add(oid);
  return { files, synced, edited };
}

export interface CarriedTree {
  /** The branch's tree with what was edited on the platform and not exported yet; the branch's own tree without edits. */
  readonly tree: readonly TreeEntry[];
  readonly hasEdits: boolean;
  /** Whether the branch's files are those of the revision that was last synced. */
  readonly isStillSynced: boolean;
}

/**
 * Applies what was edited on the platform since the last sync to an imported branch.
 *
 * @throws {OperationFailure} `conflict` when both sides changed a file.
 */
export function carryEdits(
  { files, synced }: EditedSpace,
  space: SpaceRow,
  tip: { readonly tree: readonly TreeEntry[]; readonly directory: string },
): CarriedTree {
  const theirs = filesInside(tip.tree, tip.directory);
  const merged = mergeTrees(synced, theirs, files);
  refuseConflicts(merged.conflicts, tip.directory);
  if (areSame(merged.tree, theirs)) return { tree: tip.tree, hasEdits: false, isStillSynced: false };
  return {
    tree: withFilesInside(tip.tree, tip.directory, merged.tree),
    hasEdits: true,
    isStillSynced: space.syncedRevisionId !== null && areSame(synced, theirs),
  };
}

const MAX_NAMED = 20;

/** Fails an operation in which both sides changed a file; neither side is changed. */
export function refuseConflicts(paths: readonly string[], directory: string): void {
  const [first] = paths;
  if (first === undefined) return;
  const prefix = directory === '' ? '' : `${directory}/`;
  const named = paths.slice(0, MAX_NAMED).map((path) => `${prefix}${path}`);
  const more = paths.length > MAX_NAMED ? `, and ${paths.length - MAX_NAMED} more` : '';
  throw new OperationFailure(
    'conflict',
    `The space and the branch both changed ${named.join(', ')}${more} since the last sync, so neither was changed. Make these files the same on one side and try again, or use force: an import with it takes the branch's files, an export the space's.`,
    { path: `${prefix}${first}`, paths: paths.map((path) => `${prefix}${path}`) },
  );
}
