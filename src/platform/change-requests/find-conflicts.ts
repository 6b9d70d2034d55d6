import { mergedText } from '../../content/diff/index.ts';
import type { TreeEntry } from '../../content/index.ts';
import type { Conflict, ConflictedFile } from '../../contract/index.ts';
import type { SpaceRow } from '../../store/index.ts';
import { contentThreads, PageLimitError, PageNotRead } from '../../threads/index.ts';
import type { PlatformDeps } from '../deps.ts';
import { readChangedTexts, type ShownText } from './read-texts.ts';

type Tree = ReadonlyMap<string, TreeEntry>;

/** The trees of a merge: where both began, what the space has, and what the change request proposes. */
export interface MergeSides {
  readonly base: Tree;
  readonly space: Tree;
  readonly changeRequest: Tree;
}

/** Says of a file that both sides changed what each of them did. */
export function describeConflict(path: string, { base, space, changeRequest }: MergeSides): Conflict {
  const mine = space.get(path);
  const theirs = changeRequest.get(path);
  const isShown = (entry: TreeEntry | undefined) => entry?.mode === 'file' || entry?.mode === 'executable';
  return {
    object: 'conflict',
    path,
    inSpace: what(base.get(path), mine, () => hasFolder(space, path)),
    inChangeRequest: what(base.get(path), theirs, () => hasFolder(changeRequest, path)),
    isText: isShown(mine) && isShown(theirs),
  };
}

function what(
  before: TreeEntry | undefined,
  after: TreeEntry | undefined,
  isFolder: () => boolean,
): Conflict['inSpace'] {
  if (after === undefined) return isFolder() ? 'folder' : 'removed';
  return before === undefined ? 'added' : 'changed';
}

function hasFolder(tree: Tree, path: string): boolean {
  return [...tree.keys()].some((other) => other.startsWith(`${path}/`));
}

/** Reads both sides of a conflict, merged as far as they touch different lines. */
export async function readConflict(
  deps: PlatformDeps,
  space: SpaceRow,
  path: string,
  sides: MergeSides,
): Promise<ConflictedFile> {
  const conflict = { ...describeConflict(path, sides), object: 'conflicted-file' as const };
  const [base, mine, theirs] = await readSides(deps, space, path, sides);
  const problem = [base, mine, theirs].flatMap((side) =>
    side !== null && 'problem' in side ? side.problem : [],
  )[0];
  const shown = {
    ...conflict,
    ...(mine !== null && 'text' in mine ? { space: mine.text } : {}),
    ...(theirs !== null && 'text' in theirs ? { changeRequest: theirs.text } : {}),
  };
  if (problem !== undefined) return { ...shown, isText: false, problem };
  if (mine === null || theirs === null || !('text' in mine) || !('text' in theirs)) return shown;
  try {
    const from = base !== null && 'text' in base ? base.text : '';
    const parts = await contentThreads.mergeTexts(from, mine.text, theirs.text);
    return {
      ...shown,
      parts: parts.map((part) =>
        part.kind === 'merged'
          ? part
          : { kind: 'conflict', base: part.base, space: part.ours, changeRequest: part.theirs },
      ),
    };
  } catch (error) {
    if (!(error instanceof PageLimitError || error instanceof PageNotRead)) throw error;
    return { ...shown, problem: error.message };
  }
}

/** The text that has the changes of both sides; null where they contradict each other, or are no texts. */
export async function mergeFile(
  deps: PlatformDeps,
  space: SpaceRow,
  path: string,
  sides: MergeSides,
): Promise<string | null> {
  const { parts } = await readConflict(deps, space, path, sides);
  if (parts === undefined) return null;
  return mergedText(
    parts.map((part) =>
      part.kind === 'merged'
        ? { kind: 'merged', text: part.text ?? '' }
        : { kind: 'conflict', base: '', ours: '', theirs: '' },
    ),
  );
}

/** Null for a side without the file. */
type Shown = ShownText | null;

async function readSides(
  deps: PlatformDeps,
  space: SpaceRow,
  path: string,
  { base, space: current, changeRequest }: MergeSides,
): Promise<readonly [base: Shown, space: Shown, changeRequest: Shown]> {
  const entries = [base, current, changeRequest].map((tree) => tree.get(path));
  const texts = await readChangedTexts(
    deps,
    space.id,
    entries.flatMap((entry) => (entry === undefined || entry.mode === 'submodule' ? [] : entry.oid)),
  );
  const shown = (entry: TreeEntry | undefined): Shown => {
    if (entry === undefined) return null;
    if (entry.mode === 'symlink' || entry.mode === 'submodule')
      return { problem: `It is a ${entry.mode === 'symlink' ? 'symbolic link' : 'submodule'}.` };
    return texts.get(entry.oid) ?? { problem: 'The bytes of this file are not stored here.' };
  };
  return [shown(base.get(path)), shown(current.get(path)), shown(changeRequest.get(path))];
}
