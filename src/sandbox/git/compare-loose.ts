import { readLooseCommit } from './loose-commit.ts';
import { readLooseObject } from './loose-object.ts';

export interface TouchedPaths {
  readonly added: string[];
  readonly removed: string[];
  readonly modified: string[];
}

/** The paths that a commit touched against its first parent, read without git; null when a part of it is packed. */
export async function readLooseTouchedPaths(gitDir: string, sha: string): Promise<TouchedPaths | null> {
  const commit = await readLooseCommit(gitDir, sha);
  const [parent] = commit?.parents ?? [];
  const before = parent === undefined ? null : await readLooseCommit(gitDir, parent);
  if (commit === null || (parent !== undefined && before === null)) return null;
  const touched: TouchedPaths = { added: [], removed: [], modified: [] };
  const isWhole = await compareTrees(gitDir, before?.tree ?? null, commit.tree, '', touched);
  return isWhole ? touched : null;
}

interface Entry {
  readonly mode: string;
  readonly oid: string;
}

const FOLDER = '40000';

async function compareTrees(
  gitDir: string,
  beforeOid: string | null,
  afterOid: string | null,
  folder: string,
  touched: TouchedPaths,
): Promise<boolean> {
  if (beforeOid === afterOid) return true;
  const before = await readLooseTree(gitDir, beforeOid);
  const after = await readLooseTree(gitDir, afterOid);
  if (before === null || after === null) return false;
  for (const key of [...new Set([...before.keys(), ...after.keys()])].toSorted()) {
    const [oldEntry, newEntry] = [before.get(key), after.get(key)];
    const path = folder + Buffer.from(key, 'latin1').toString('utf8');
    if (key.endsWith('/')) {
      if (!(await compareTrees(gitDir, oldEntry?.oid ?? null, newEntry?.oid ?? null, path, touched)))
        return false;
    } else if (oldEntry === undefined) touched.added.push(path);
    else if (newEntry === undefined) touched.removed.push(path);
    else if (oldEntry.oid !== newEntry.oid || oldEntry.mode !== newEntry.mode) touched.modified.push(path);
  }
  return true;
}

/** The entries of a tree by their names, one character per byte and folders with a slash, which is how git sorts them. */
async function readLooseTree(gitDir: string, oid: string | null): Promise<Map<string, Entry> | null> {
  const entries = new Map<string, Entry>();
  if (oid === null) return entries;
  const object = await readLooseObject(gitDir, oid);
  if (object?.type !== 'tree') return null;
  const { content } = object;
  for (let at = 0; at < content.length; ) {
    const blank = content.indexOf(' ', at);
    const end = content.indexOf(0, blank);
    if (blank < 0 || end < 0) return null;
    const mode = content.toString('latin1', at, blank);
    const name = content.toString('latin1', blank + 1, end);
    entries.set(mode === FOLDER ? `${name}/` : name, {
      mode,
      oid: content.toString('hex', end + 1, end + 21),
    });
    at = end + 21;
  }
  return entries;
}
