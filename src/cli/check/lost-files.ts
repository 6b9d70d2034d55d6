import type { IndexedFile } from './indexed-file.ts';
import { runLocalGit } from './run-git.ts';

/**
 * The files of HEAD, where a checkout broke off before git wrote its index, as it does at a file that it cannot write: those
 * that it did not come to are in the repository all the same.
 */
export async function listCommitted(
  root: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, IndexedFile>> {
  const files = new Map<string, IndexedFile>();
  const { code, stdout } = await runLocalGit(root, ['ls-tree', '-r', '-z', '--full-tree', 'HEAD'], signal);
  if (code !== 0) return files;
  for (const record of stdout.split('\0')) {
    const tab = record.indexOf('\t');
    if (tab === -1) continue;
    const [mode, , oid = ''] = record.slice(0, tab).split(' ');
    files.set(record.slice(tab + 1), {
      oid,
      isSubmodule: mode === '160000',
      isSymlink: mode === '120000',
      leftOut: true,
      stamp: null,
    });
  }
  return files;
}

/**
 * Which of these objects git does not have. A file whose bytes were never here was not deleted by anybody: it is missing on
 * disk because it could not be checked out.
 */
export async function findAbsentObjects(
  root: string,
  oids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  if (oids.length === 0) return new Set();
  const { stdout } = await runLocalGit(root, ['cat-file', '--batch-check'], signal, `${oids.join('\n')}\n`);
  return new Set([...stdout.matchAll(/^([0-9a-f]+) missing$/gm)].map(([, oid = '']) => oid));
}
