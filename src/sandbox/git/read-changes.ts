import { readLooseTouchedPaths, type TouchedPaths } from './compare-loose.ts';
import { queryGit } from './query-git.ts';

export interface FileChange {
  readonly status: 'added' | 'removed' | 'modified' | 'renamed' | 'changed';
  readonly path: string;
  readonly previousPath: string | null;
  /** The blob after the change; before it, for a removed file. */
  readonly oid: string;
  readonly additions: number;
  readonly deletions: number;
  /** Unified diff from the first hunk on; null for binary files and very long diffs. */
  readonly patch: string | null;
}

/** The oid of the empty tree. */
export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

const MAX_PATCH_CHARACTERS = 100_000;
const statuses: Readonly<Record<string, FileChange['status']>> = {
  A: 'added',
  D: 'removed',
  M: 'modified',
  R: 'renamed',
  T: 'changed',
};

/** The changed files between two trees or commits, with renames, sorted by path. */
export async function listChanges(gitDir: string, before: string, after: string): Promise<FileChange[]> {
  const diff = ['diff-tree', '-r', '-M', '--no-color', '--no-ext-diff', '--raw', '--numstat', '-p', '-z'];
  const { stdout } = await queryGit(gitDir, [...diff, '--no-abbrev', before, after], [before, after]);
  const text = stdout.toString('utf8');
  // No field of the table is empty, so an empty field ends it.
  const end = text.indexOf('\0\0');
  const rows = parseTable(end < 0 ? text : text.slice(0, end + 1));
  const texts = end < 0 ? [] : splitPatches(text.slice(end + 2));
  return rows.map((row, index) => ({ ...row, patch: texts[index] ?? null }));
}

type Row = Omit<FileChange, 'patch'>;

/** `-z --raw --numstat`: first all raw rows (`:modes oids letter NUL path NUL`), then all counts, in the same order. */
function parseTable(text: string): Row[] {
  const tokens = text.split('\0');
  const rows: Row[] = [];
  let at = 0;
  while (tokens[at]?.startsWith(':')) {
    const [, , oldOid = '', newOid = '', letters = ''] = (tokens[at] ?? '').split(' ');
    const letter = letters.slice(0, 1);
    const hasTwoPaths = letter === 'R' || letter === 'C';
    rows.push({
      status: statuses[letter] ?? 'modified',
      path: tokens[at + (hasTwoPaths ? 2 : 1)] ?? '',
      previousPath: hasTwoPaths ? (tokens[at + 1] ?? null) : null,
      oid: letter === 'D' ? oldOid : newOid,
      additions: 0,
      deletions: 0,
    });
    at += hasTwoPaths ? 3 : 2;
  }
  return rows.map((row) => {
    const [additions = '', deletions = '', path] = (tokens[at] ?? '').split('\t');
    at += path === '' ? 3 : 1;
    // Binary files count as '-'.
    return { ...row, additions: Number(additions) || 0, deletions: Number(deletions) || 0 };
  });
}

/** Every line of a file's content starts with a space, a plus or a minus, so the header never matches content. */
function splitPatches(text: string): (string | null)[] {
  return text
    .split(/^(?=diff --git )/m)
    .filter((part) => part.startsWith('diff --git '))
    .map((part) => {
      const hunk = part.search(/^@@ /m);
      const patch = hunk < 0 ? null : part.slice(hunk).replace(/\n$/, '');
      return patch !== null && patch.length <= MAX_PATCH_CHARACTERS ? patch : null;
    });
}

/**
 * The paths that each commit touched against its first parent; a rename is a removal and an addition, as in GitHub's push
 * payload. Commits that touched none are left out.
 */
export async function listTouchedPaths(
  gitDir: string,
  commits: readonly string[],
): Promise<Map<string, TouchedPaths>> {
  const found = new Map<string, TouchedPaths>();
  const packed: string[] = [];
  for (const commit of commits) {
    const touched = await readLooseTouchedPaths(gitDir, commit);
    if (touched === null) packed.push(commit);
    else if (Object.values(touched).some((paths) => paths.length > 0)) found.set(commit, touched);
  }
  if (packed.length === 0) return found;
  const { stdout } = await queryGit(
    gitDir,
    [
      'diff-tree',
      '--stdin',
      '-r',
      '-z',
      '--root',
      '--no-renames',
      '--diff-merges=first-parent',
      '--name-status',
    ],
    packed,
    { input: `${packed.join('\n')}\n` },
  );
  const tokens = stdout.toString('utf8').split('\0');
  let current: TouchedPaths | undefined;
  for (let at = 0; at < tokens.length; at += 1) {
    const token = (tokens[at] ?? '').trim();
    if (/^[0-9a-f]{40}$/.test(token)) {
      current = { added: [], removed: [], modified: [] };
      found.set(token, current);
    } else if (token && current) {
      at += 1;
      const path = tokens[at] ?? '';
      if (token === 'A') current.added.push(path);
      else if (token === 'D') current.removed.push(path);
      else current.modified.push(path);
    }
  }
  return found;
}
