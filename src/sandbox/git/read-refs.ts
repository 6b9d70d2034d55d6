import { readdir, readFile } from 'node:fs/promises';

/**
 * Reads the refs below these folders from their files, by full name and sorted (gitrepository-layout(5)); null where one
 * does not contain an oid, which git has to resolve. During a push each ref is read as before or as after it, as with git.
 */
export async function readRefs(
  gitDir: string,
  folders: readonly string[],
): Promise<Record<string, string> | null> {
  // In this order, since git packs a ref before it removes its file.
  const loose = await Promise.all(folders.map((folder) => readLoose(gitDir, folder)));
  const packed = await readPacked(gitDir, folders);
  const all = new Map([...packed, ...loose.flat()]);
  if (![...all.values()].every((oid) => /^[0-9a-f]{40}$/.test(oid))) return null;
  return Object.fromEntries([...all].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The refs of a repository by name, and its default branch with the oid that it has. */
export interface PlainRefs {
  readonly refs: Readonly<Record<string, string>>;
  readonly branch: string;
  readonly current: string;
}

/**
 * What a client is told of the refs. Null where git has to look at objects, at those of tags, and where the default branch
 * does not exist.
 */
export async function readPlainRefs(gitDir: string): Promise<PlainRefs | null> {
  const [refs, head] = await Promise.all([readRefs(gitDir, ['refs']), readFile(`${gitDir}/HEAD`, 'utf8')]);
  const branch = /^ref: (.+)\n$/.exec(head)?.[1] ?? '';
  const current = refs?.[branch];
  if (refs === null || current === undefined) return null;
  return Object.keys(refs).some((name) => name.startsWith('refs/tags/')) ? null : { refs, branch, current };
}

async function readLoose(gitDir: string, folder: string): Promise<[name: string, oid: string][]> {
  const entries = await readdir(`${gitDir}/${folder}`, { recursive: true, withFileTypes: true }).catch(
    ifAbsent([]),
  );
  const names = entries
    .filter((entry) => !entry.isDirectory() && !entry.name.endsWith('.lock'))
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(gitDir.length + 1));
  const refs = await Promise.all(
    names.map(async (name): Promise<[string, string] | null> => {
      const text = await readFile(`${gitDir}/${name}`, 'utf8').catch(ifAbsent(null));
      return text === null ? null : [name, text.trimEnd()];
    }),
  );
  return refs.filter((ref) => ref !== null);
}

/** Reads the lines of `<oid> <name>`, and ignores comments. */
async function readPacked(
  gitDir: string,
  folders: readonly string[],
): Promise<[name: string, oid: string][]> {
  const text = await readFile(`${gitDir}/packed-refs`, 'utf8').catch(ifAbsent(''));
  return text
    .split('\n')
    .filter((line) => !/^[#^]/.test(line))
    .map((line): [string, string] => [line.slice(41), line.slice(0, 40)])
    .filter(([name]) => folders.some((folder) => name.startsWith(`${folder}/`)));
}

/** Handles refs that are removed while they are read. */
function ifAbsent<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return instead;
    throw error;
  };
}
