import { entryNameProblem } from './check-entry-name.ts';
import { type ObjectReader, parseTree, type RawTreeEntry } from './objects.ts';
import { GitError, type GitTreeEntry, type ReadTreeOptions, type SkippedEntry } from './repository.ts';

/** Far above any repository of documents; a few crafted trees that name each other can expand to billions of paths. */
const maxEntries = 500_000;
/** No file system accepts deeper paths than this (PATH_MAX is 4,096 bytes, two for each level). */
const maxDepth = 2_048;

const modes: Readonly<Record<string, GitTreeEntry['mode']>> = {
  '100644': 'file',
  '100664': 'file',
  '100755': 'executable',
  '120000': 'symlink',
  '160000': 'submodule',
};

const isFolder = ({ mode }: RawTreeEntry) => mode === '40000' || mode === '040000';

/** One folder of a tree: its files, and the folders below, in the order of the tree. */
export interface WalkedFolder {
  readonly oid: string;
  readonly items: readonly (GitTreeEntry | FolderLink)[];
  readonly skipped: readonly SkippedEntry[];
  readonly isSorted: boolean;
}

interface FolderLink {
  /** Ends with a slash. */
  readonly folder: string;
  readonly oid: string;
}

/** A walk that later ones can start from, by the folders' paths with a slash at the end; '' is the root. */
export type Walk = ReadonlyMap<string, WalkedFolder>;

export interface WalkedTree {
  readonly entries: readonly GitTreeEntry[];
  readonly walk: Walk;
}

/**
 * All files below a tree, in byte order of their paths; see `GitRepository.readTree`. Unchanged folders of the
 * previous walk are reused with the very same entries, and only the rest are read.
 */
export async function walkTree(
  reader: ObjectReader,
  rootOid: string,
  { onSkipped = () => {} }: ReadTreeOptions = {},
  before: Walk = new Map(),
): Promise<WalkedTree> {
  const walk = await readFolders(reader, rootOid, before);
  const entries: GitTreeEntry[] = [];
  let isSorted = true;
  // Depth first, so that the paths of sorted trees are sorted.
  const stack: { readonly folder: WalkedFolder; next: number }[] = [];
  const enter = (path: string) => {
    const folder = walk.get(path) as WalkedFolder;
    for (const skipped of folder.skipped) onSkipped(skipped);
    if (!folder.isSorted) isSorted = false;
    stack.push({ folder, next: 0 });
  };
  enter('');
  for (let level = stack.at(-1); level; level = stack.at(-1)) {
    const item = level.folder.items[level.next++];
    if (!item) stack.pop();
    else if ('folder' in item) enter(item.folder);
    else entries.push(item);
  }
  return { entries: isSorted ? entries : sortAndDedupe(entries, onSkipped), walk };
}

/** Yields every folder below the root, level by level, so that each level costs one round trip to the reader. */
async function readFolders(reader: ObjectReader, rootOid: string, before: Walk): Promise<Walk> {
  const walk = new Map<string, WalkedFolder>();
  let count = 0;
  let level: readonly FolderLink[] = [{ folder: '', oid: rootOid }];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) throw tooMany(rootOid);
    const fresh = level.filter(({ folder, oid }) => before.get(folder)?.oid !== oid);
    const trees = await readTrees(reader, [...new Set(fresh.map(({ oid }) => oid))]);
    const sizes = await readSizes(reader, trees.values());
    const below: FolderLink[] = [];
    for (const { folder, oid } of level) {
      const old = before.get(folder);
      const walked =
        old?.oid === oid ? old : toFolder(folder, oid, { raw: trees.get(oid) ?? [], old, sizes });
      // A folder that appears twice in a damaged tree is walked once.
      if (walk.has(folder)) continue;
      walk.set(folder, walked);
      count += walked.items.length + walked.skipped.length;
      if (count > maxEntries) throw tooMany(rootOid);
      for (const item of walked.items) if ('folder' in item) below.push(item);
    }
    level = below;
  }
  return walk;
}

async function readTrees(
  reader: ObjectReader,
  oids: readonly string[],
): Promise<ReadonlyMap<string, readonly RawTreeEntry[]>> {
  const trees = new Map<string, readonly RawTreeEntry[]>();
  let count = 0;
  let at = 0;
  for await (const object of reader.read(oids)) {
    const oid = oids[at++] ?? '';
    if (!object) {
      throw new GitError('commit-not-found', `The tree ${oid} is not in the cache; fetch its commit first.`);
    }
    const entries = parseTree(object);
    count += entries.length;
    if (count > maxEntries) throw tooMany(oid);
    trees.set(oid, entries);
  }
  return trees;
}

async function readSizes(
  reader: ObjectReader,
  trees: Iterable<readonly RawTreeEntry[]>,
): Promise<ReadonlyMap<string, number>> {
  if (reader.sizes === undefined) return new Map();
  const oids = new Set<string>();
  for (const entries of trees) {
    for (const entry of entries) if (!isFolder(entry) && entry.mode !== '160000') oids.add(entry.oid);
  }
  return oids.size === 0 ? new Map() : await reader.sizes([...oids]);
}

function toFolder(
  path: string,
  oid: string,
  from: {
    readonly raw: readonly RawTreeEntry[];
    /** The folder in the previous walk, whose file objects are reused where nothing of them differs. */
    readonly old: WalkedFolder | undefined;
    readonly sizes: ReadonlyMap<string, number>;
  },
): WalkedFolder {
  const { raw, old, sizes } = from;
  const known = new Map(old?.items.flatMap((item) => ('path' in item ? [[item.path, item]] : [])));
  const items: (GitTreeEntry | FolderLink)[] = [];
  const skipped: SkippedEntry[] = [];
  let isSorted = true;
  raw.forEach((entry, at) => {
    const previous = raw[at - 1];
    if (previous && compareEntries(previous, entry) >= 0) isSorted = false;
    const own = path + entry.name.toString('utf8');
    const reason = entryNameProblem(entry.name);
    if (reason) skipped.push({ path: own, oid: entry.oid, reason });
    else if (isFolder(entry)) items.push({ folder: `${own}/`, oid: entry.oid });
    else {
      const mode = modes[entry.mode] ?? 'file';
      const size = sizes.get(entry.oid);
      const same = known.get(own);
      if (same?.oid === entry.oid && same.mode === mode && same.size === size) items.push(same);
      else items.push({ path: own, oid: entry.oid, mode, ...(size === undefined ? {} : { size }) });
    }
  });
  return { oid, items, skipped, isSorted };
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
    if (entryNameProblem(name)) return null;
    for await (const object of reader.read([oid])) {
      const entry = object && parseTree(object).find((child) => isFolder(child) && child.name.equals(name));
      if (!entry) return null;
      oid = entry.oid;
    }
  }
  return oid;
}

/** The order that git requires inside a tree: by bytes, folders as if their names ended with a slash. */
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
    onSkipped({ path: entry.path, oid: entry.oid, reason: 'its path is twice in the tree' });
    return false;
  });
}

function tooMany(oid: string): GitError {
  return new GitError(
    'too-large',
    `The tree ${oid} contains more than ${maxEntries} files or folders, or nests deeper than ${maxDepth}; that is the limit here.`,
  );
}
