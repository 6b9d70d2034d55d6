import type { TreeEntry } from '../../content/index.ts';
import type { Resolution } from '../../contract/index.ts';
import { type HashName, hashOf, objectOid } from '../../git/index.ts';
import type { SpaceRow } from '../../store/index.ts';
import { invalid } from '../api/api-error.ts';
import type { PlatformDeps } from '../deps.ts';
import { type MergedTree, mergeTrees } from '../revisions/merge-trees.ts';
import { type MergeSides, mergeFile } from './find-conflicts.ts';

export interface ResolvedTree extends MergedTree {
  /** The bytes of files that were written by hand or merged, by oid. */
  readonly fresh: ReadonlyMap<string, Uint8Array>;
}

/**
 * Merges what the space changed into a change request, with decisions about files that both changed; every other file stays
 * as the merge has it. `conflicts` are those that nobody decided.
 *
 * @throws {ApiError} 400 for a decision about a file without a conflict, or one that cannot be carried out
 */
export async function resolveConflicts(
  deps: PlatformDeps,
  space: SpaceRow,
  sides: MergeSides,
  resolutions: readonly Resolution[],
): Promise<ResolvedTree> {
  const merged = mergeTrees(sides.base, sides.changeRequest, sides.space);
  if (resolutions.length === 0) return { ...merged, fresh: new Map() };
  const open = new Set(merged.conflicts);
  const tree = new Map(merged.tree);
  const fresh = new Map<string, Uint8Array>();
  const [first] = sides.base.values();
  const hash = hashOf(first?.oid ?? [...tree.values()][0]?.oid ?? '');
  for (const [index, resolution] of resolutions.entries()) {
    const at = `/body/resolutions/${index}`;
    const { path } = resolution;
    if (!open.delete(path))
      throw invalid(`${at}/path`, 'is no file that both sides changed, or is named twice');
    const entry = await decide(resolution, at);
    if (entry === undefined) tree.delete(path);
    else tree.set(path, entry);
  }
  // A decision for a file may leave another one below it.
  const again = mergeTrees(tree, tree, tree);
  return { tree, conflicts: [...new Set([...open, ...again.conflicts])].toSorted(), fresh };

  async function decide(resolution: Resolution, at: string): Promise<TreeEntry | undefined> {
    const { path } = resolution;
    if ('text' in resolution) return write(path, resolution.text, hash);
    if (resolution.take === 'space') return sides.space.get(path);
    if (resolution.take === 'change-request') return sides.changeRequest.get(path);
    const text = await mergeFile(deps, space, path, sides);
    if (text === null)
      throw invalid(`${at}/take`, 'must be another side: the two contradict each other in this file');
    return write(path, text, hash);
  }

  function write(path: string, text: string, name: HashName): TreeEntry {
    const bytes = Buffer.from(text);
    const oid = objectOid('blob', bytes, name);
    fresh.set(oid, bytes);
    const known = sides.changeRequest.get(path) ?? sides.space.get(path);
    const mode = known?.mode === 'executable' ? 'executable' : 'file';
    return { path, oid, mode, size: bytes.length };
  }
}
