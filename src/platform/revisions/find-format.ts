import { declaredSpaces, parseConfig } from '../../config/index.ts';
import {
  type DeclaredSpace,
  detectSpaces,
  type FormatName,
  siblingsOf,
  spacesAmong,
  type TreeEntry,
} from '../../content/index.ts';
import { contentThreads } from '../../threads/index.ts';
import type { BlobReader } from './blob-reader.ts';

/** The file in which a repository declares its spaces and their formats. */
const CONFIG_PATH = '.github/docloom.yml';
const MAX_CONFIG_BYTES = 64 * 1024;

/** The format of a directory of a repository, and the directories of the other spaces. */
export interface FoundFormat {
  readonly format: FormatName;
  readonly siblingDirectories: readonly string[];
}

/** The format found for the last tree of each space. */
export class FormatCache {
  readonly #found = new Map<string, CachedFormat>();

  get(spaceId: string, directory: string, tree: readonly TreeEntry[]): FoundFormat | null {
    const known = this.#found.get(spaceId);
    return known?.directory === directory && hasSameEvidence(known, tree) ? known.found : null;
  }

  set(spaceId: string, format: CachedFormat): void {
    this.#found.delete(spaceId);
    this.#found.set(spaceId, format);
    for (const oldest of this.#found.keys()) {
      if (this.#found.size <= MAX_CACHED) break;
      this.#found.delete(oldest);
    }
  }
}

/** The most spaces; their trees are mostly in the content cache anyway. */
const MAX_CACHED = 20;

interface CachedFormat {
  readonly directory: string;
  readonly tree: readonly TreeEntry[];
  /** The paths of the files that were read to find the format. */
  readonly read: ReadonlySet<string>;
  readonly found: FoundFormat;
}

/** Whether a tree has the same paths in the same order, and the same bytes in the files that were read. */
function hasSameEvidence({ tree: before, read }: CachedFormat, tree: readonly TreeEntry[]): boolean {
  if (before.length !== tree.length) return false;
  return tree.every((entry, index) => {
    const old = before[index];
    if (old === entry) return true;
    return old?.path === entry.path && old.mode === entry.mode && !read.has(entry.path);
  });
}

interface FormatContext {
  readonly cache: FormatCache;
  readonly spaceId: string;
  /** The format of the space's previous revision; null for its first. */
  readonly before: FormatName | null;
}

/**
 * Finds the format of a directory and the directories of the other spaces, from the repository's configuration or else
 * from its files. A directory without a format is plain Markdown.
 */
export async function findFormat(
  directory: string,
  tree: readonly TreeEntry[],
  readBlobs: BlobReader,
  { cache, spaceId, before }: FormatContext,
): Promise<FoundFormat> {
  const known = cache.get(spaceId, directory, tree);
  if (known !== null) return known;
  const seen = new Set([CONFIG_PATH]);
  const read: Read = (entries) => {
    for (const { path } of entries) seen.add(path);
    return readBlobs(entries.map((entry) => entry.oid));
  };
  const found = await detectFormat(directory, tree, read, before);
  cache.set(spaceId, { directory, tree, read: seen, found });
  return found;
}

type Read = Parameters<typeof detectSpaces>[0]['read'];

async function detectFormat(
  directory: string,
  tree: readonly TreeEntry[],
  read: Read,
  before: FormatName | null,
): Promise<FoundFormat> {
  const config = tree.find((entry) => entry.path === CONFIG_PATH);
  const declaration = config === undefined ? null : await readDeclared(config, read);
  // If the configuration is invalid, the previous format stays.
  const declared =
    declaration !== 'invalid' ? declaration : before && [{ directory, title: 'Space', format: before }];
  const parts = await detectSpaces({
    tree,
    read,
    readValues: contentThreads.readValues,
    ...(declared === null ? {} : { declared }),
  });
  const own = spacesAmong(parts).find((space) => space.directory === directory);
  if (own === undefined) return { format: 'github', siblingDirectories: [] };
  return { format: own.format, siblingDirectories: siblingsOf(own, parts) };
}

/** The declared spaces; null if it declares none. What is invalid is reported on the push. */
async function readDeclared(
  entry: TreeEntry,
  read: Read,
): Promise<readonly DeclaredSpace[] | 'invalid' | null> {
  if (entry.mode === 'symlink' || entry.mode === 'submodule') return 'invalid';
  if (entry.size !== undefined && entry.size > MAX_CONFIG_BYTES) return 'invalid';
  for await (const { bytes } of read([entry])) {
    const parsed = parseConfig(new TextDecoder().decode(bytes));
    return 'problems' in parsed ? 'invalid' : declaredSpaces(parsed.config);
  }
  return 'invalid';
}
