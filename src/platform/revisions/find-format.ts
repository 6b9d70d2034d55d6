import { declaredSpaces, parseConfig } from '../../config/index.ts';
import {
  type DeclaredSpace,
  detectSpaces,
  type FormatName,
  siblingsOf,
  spacesAmong,
  type TreeEntry,
} from '../../content/index.ts';
import type { BlobReader } from './blob-reader.ts';

/** Where a repository declares its spaces and their formats. */
const CONFIG_PATH = '.github/docloom.yml';
const MAX_CONFIG_BYTES = 64 * 1024;

/** How a directory of a repository is read. */
export interface FoundFormat {
  readonly format: FormatName;
  readonly siblingDirectories: readonly string[];
}

/** The format found for the last tree of each space. */
export class FormatMemory {
  readonly #found = new Map<string, Remembered>();

  get(spaceId: string, directory: string, tree: readonly TreeEntry[]): FoundFormat | null {
    const known = this.#found.get(spaceId);
    return known?.directory === directory && hasSameEvidence(known, tree) ? known.found : null;
  }

  remember(spaceId: string, remembered: Remembered): void {
    this.#found.delete(spaceId);
    this.#found.set(spaceId, remembered);
    for (const oldest of this.#found.keys()) {
      if (this.#found.size <= MAX_REMEMBERED) break;
      this.#found.delete(oldest);
    }
  }
}

/** Spaces; their trees are mostly in the content's memory anyway. */
const MAX_REMEMBERED = 20;

interface Remembered {
  readonly directory: string;
  readonly tree: readonly TreeEntry[];
  /** The files that were read to find it. */
  readonly read: ReadonlySet<string>;
  readonly found: FoundFormat;
}

/** Whether it has the same paths in the same order, and the same bytes where they were read. */
function hasSameEvidence({ tree: before, read }: Remembered, tree: readonly TreeEntry[]): boolean {
  if (before.length !== tree.length) return false;
  return tree.every((entry, at) => {
    const old = before[at];
    if (old === entry) return true;
    return old?.path === entry.path && old.mode === entry.mode && !read.has(entry.path);
  });
}

interface FormatContext {
  readonly memory: FormatMemory;
  readonly spaceId: string;
  /** The format of the space's revision before; null for its first. */
  readonly before: FormatName | null;
}

/**
 * Finds the format of a directory and the folders of the other spaces, from the repository's configuration or else from
 * its files. A directory that neither names is plain Markdown.
 */
export async function findFormat(
  directory: string,
  tree: readonly TreeEntry[],
  readBlobs: BlobReader,
  { memory, spaceId, before }: FormatContext,
): Promise<FoundFormat> {
  const known = memory.get(spaceId, directory, tree);
  if (known !== null) return known;
  const seen = new Set([CONFIG_PATH]);
  const read: Read = (entries) => {
    for (const { path } of entries) seen.add(path);
    return readBlobs(entries.map((entry) => entry.oid));
  };
  const found = await detectFormat(directory, tree, read, before);
  memory.remember(spaceId, { directory, tree, read: seen, found });
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
  // With a mistake in the configuration, the format before stays.
  const declared =
    declaration !== 'mistaken' ? declaration : before && [{ directory, title: 'Space', format: before }];
  const parts = await detectSpaces({ tree, read, ...(declared === null ? {} : { declared }) });
  const own = spacesAmong(parts).find((space) => space.directory === directory);
  if (own === undefined) return { format: 'github', siblingDirectories: [] };
  return { format: own.format, siblingDirectories: siblingsOf(own, parts) };
}

/** Null when it declares none. The mistake itself is reported on the push. */
async function readDeclared(
  entry: TreeEntry,
  read: Read,
): Promise<readonly DeclaredSpace[] | 'mistaken' | null> {
  if (entry.mode === 'symlink' || entry.mode === 'submodule') return 'mistaken';
  if (entry.size !== undefined && entry.size > MAX_CONFIG_BYTES) return 'mistaken';
  for await (const { bytes } of read([entry])) {
    const parsed = parseConfig(new TextDecoder().decode(bytes));
    return 'problems' in parsed ? 'mistaken' : declaredSpaces(parsed.config);
  }
  return 'mistaken';
}
