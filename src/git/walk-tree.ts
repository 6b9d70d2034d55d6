import { isUtf8 } from 'node:buffer';
import { type ObjectReader, parseTree, type RawTreeEntry } from './objects.ts';
import { GitError, type GitTreeEntry, type ReadTreeOptions } from './repository.ts';

/** Far above any repository of documents; a few crafted trees that name each other can stand for billions of paths. */
const maxEntries = 500_000;
/** No file system takes deeper paths than this (PATH_MAX is 4,096 bytes, two for each level). */
const maxDepth = 2_048;

const modes: Readonly<Record<string, GitTreeEntry['mode']>> = {
  '100644': 'file',
  '100664': 'file',
  '100755': 'executable',
  '120000': 'symlink',
  '160000': 'submodule',
};

const isFolder = ({ mode }: RawTreeEntry) => mode === '40000' || mode === '040000';

/** All files below a tree, in byte order of their paths; see `GitRepository.readTree`. */
export async function walkTree(
  reader: ObjectReader,
  rootOid: string,
  { onSkipped = () => {} }: ReadTreeOptions = {},
): Promise<readonly GitTreeEntry[]> {
  const trees = await readTrees(reader, rootOid);
  const entries: GitTreeEntry[] = [];
  let visited = 0;
  let isSorted = true;

  // Depth first, so that sorted trees give sorted paths.
  const stack: { prefix: string; entries: readonly RawTreeEntry[]; next: number }[] = [];
  const enter = (prefix: string, oid: string) =>
    stack.push({ prefix, entries: trees.get(oid) ?? [], next: 0 });
  enter('', rootOid);
  for (let level = stack.at(-1); level; level = stack.at(-1)) {
    const entry = level.entries[level.next++];
    if (!entry) {
      stack.pop();
      continue;
    }
    if (++visited > maxEntries || stack.length > maxDepth) throw tooMany(rootOid);
    const previous = level.entries[level.next - 2];
    if (previous && compareEntries(previous, entry) >= 0) isSorted = false;
    const path = level.prefix + entry.name.toString('utf8');
    const reason = judgeName(entry.name);
    if (reason) onSkipped({ path, oid: entry.oid, reason });
    else if (isFolder(entry)) enter(`${path}/`, entry.oid);
    else entries.push({ path, oid: entry.oid, mode: modes[entry.mode] ?? 'file' });
  }
  return isSorted ? entries : sortAndDedupe(entries, onSkipped);
}

/** Every tree below the root once, level by level, so that each level costs one round trip to the reader. */
async function readTrees(
  reader: ObjectReader,
  rootOid: string,
): Promise<Map<string, readonly RawTreeEntry[]>> {
  const trees = new Map<string, readonly RawTreeEntry[]>();
  let count = 0;
  for (let level = [rootOid], depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) throw tooMany(rootOid);
    const below = new Set<string>();
    let at = 0;
    for await (const object of reader.read(level)) {
      const oid = level[at++] ?? '';
      if (!object) {
        throw new GitError(
          'commit-not-found',
          `The tree ${oid} is not in the cache; fetch its commit first.`,
        );
      }
      const entries = parseTree(object);
      count += entries.length;
      if (count > maxEntries) throw tooMany(rootOid);
      trees.set(oid, entries);
      for (const entry of entries) if (isFolder(entry) && !judgeName(entry.name)) below.add(entry.oid);
    }
    level = [...below].filter((oid) => !trees.has(oid));
  }
  return trees;
}

/** The oid of the tree at a path, or null; see `GitRepository.readTreeOid`. */
export async function findTree(
  reader: ObjectReader,
  rootOid: string,
  directory: string,
): Promise<string | null> {
  let oid = rootOid;
  for (const segment of directory === '' ? [] : directory.split('/')) {
    const name = Buffer.from(segment, 'utf8');
    if (judgeName(name)) return null;
    for await (const object of reader.read([oid])) {
      const entry = object && parseTree(object).find((one) => isFolder(one) && one.name.equals(name));
      if (!entry) return null;
      oid = entry.oid;
    }
  }
  return oid;
}

/** Why a name cannot be part of a path, or null. Git itself refuses to check these out, but not to store them. */
function judgeName(name: Buffer): string | null {
  if (!isUtf8(name)) return 'its name is not UTF-8';
  if (name.length === 0 || name.includes(0x2f)) return 'its name is empty or has a slash';
  if (name[0] !== 0x2e) return null;
  const text = name.toString('latin1');
  if (text === '.' || text === '..' || /^\.git$/i.test(text)) return `${text} may not stand in a path`;
  return null;
}

/** The order that git demands inside a tree: by bytes, folders as if their names ended with a slash. */
export function compareEntries(a: RawTreeEntry, b: RawTreeEntry): number {
  const length = Math.min(a.name.length, b.name.length);
  const order = a.name.compare(b.name, 0, length, 0, length);
  if (order !== 0) return order;
  const after = (entry: RawTreeEntry) => entry.name[length] ?? (isFolder(entry) ? 0x2f : 0);
  return after(a) - after(b);
}

function sortAndDedupe(
  entries: readonly GitTreeEntry[],
  onSkipped: NonNullable<ReadTreeOptions['onSkipped']>,
): readonly GitTreeEntry[] {
  const sorted = entries
    .map((entry) => ({ entry, bytes: Buffer.from(entry.path) }))
    .sort((a, b) => a.bytes.compare(b.bytes))
    .map(({ entry }) => entry);
  return sorted.filter((entry, i) => {
    if (entry.path !== sorted[i - 1]?.path) return true;
    onSkipped({ path: entry.path, oid: entry.oid, reason: 'its path stands twice in the tree' });
    return false;
  });
}

function tooMany(oid: string): GitError {
  return new GitError(
    'too-large',
    `The tree ${oid} stands for more than ${maxEntries} files or folders, or nests deeper than ${maxDepth}; that is the limit here.`,
  );
}
