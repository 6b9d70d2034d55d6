import { readLooseObject } from './loose-object.ts';
import { queryGit } from './query-git.ts';
import { runRepositoryGit } from './run-git.ts';

export interface ListedEntry {
  readonly path: string;
  readonly name: string;
  readonly mode: string;
  readonly type: 'blob' | 'tree' | 'commit';
  readonly oid: string;
  /** In bytes; 0 for folders and submodules. */
  readonly size: number;
}

function parseEntry(line: string): ListedEntry {
  const tab = line.indexOf('\t');
  const [mode = '', type = '', oid = '', size = ''] = line.slice(0, tab).split(/ +/);
  const path = line.slice(tab + 1);
  return {
    path,
    name: path.slice(path.lastIndexOf('/') + 1),
    mode,
    type: type as ListedEntry['type'],
    oid,
    size: Number(size) || 0,
  };
}

/** Whether a file or folder in git can have this path; git fails for other paths. */
export function isTreePath(path: string): boolean {
  return (
    !path.includes('\0') && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  );
}

/** The entry at a path of a commit ('' is its root), or null. */
export async function findTreeEntry(
  gitDir: string,
  commit: string,
  path: string,
): Promise<ListedEntry | null> {
  if (path === '') {
    return { path: '', name: '', mode: '040000', type: 'tree', oid: `${commit}^{tree}`, size: 0 };
  }
  const entries = await listTree(gitDir, commit, path);
  return entries.find((entry) => entry.path === path) ?? null;
}

/** The direct entries of a folder of a commit, in git's order. */
export function listFolder(gitDir: string, commit: string, folder: string): Promise<ListedEntry[]> {
  return listTree(gitDir, commit, folder === '' ? '' : `${folder}/`);
}

async function listTree(gitDir: string, commit: string, path: string): Promise<ListedEntry[]> {
  const { stdout } = await queryGit(
    gitDir,
    ['ls-tree', '-z', '-l', '--full-tree', commit, ...(path ? ['--', path] : [])],
    [commit],
    { env: { GIT_LITERAL_PATHSPECS: '1' } },
  );
  return stdout.toString('utf8').split('\0').filter(Boolean).map(parseEntry);
}

export async function readBlob(gitDir: string, oid: string): Promise<Buffer> {
  const loose = await readLooseObject(gitDir, oid);
  if (loose?.type === 'blob') return loose.content;
  return (await runRepositoryGit(gitDir, ['cat-file', 'blob', oid])).stdout;
}
