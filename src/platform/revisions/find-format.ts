import { parseConfig } from '../../content/config/index.ts';
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

/**
 * Tells the format of a directory and the folders of the other spaces, from the repository's configuration and else
 * from its files. A directory that neither names is plain Markdown.
 */
export async function findFormat(
  directory: string,
  tree: readonly TreeEntry[],
  readBlobs: BlobReader,
): Promise<FoundFormat> {
  const read = (entries: readonly TreeEntry[]) => readBlobs(entries.map((entry) => entry.oid));
  const config = tree.find((entry) => entry.path === CONFIG_PATH);
  const declared = config === undefined ? null : await readDeclared(config, read);
  const parts = await detectSpaces({ tree, read, ...(declared === null ? {} : { declared }) });
  const own = spacesAmong(parts).find((space) => space.directory === directory);
  if (own === undefined) return { format: 'github', siblingDirectories: [] };
  return { format: own.format, siblingDirectories: siblingsOf(own, parts) };
}

/** A mistaken configuration is told where it is pushed; here it counts as none. */
async function readDeclared(
  entry: TreeEntry,
  read: (entries: readonly TreeEntry[]) => AsyncIterable<{ readonly bytes: Uint8Array }>,
): Promise<readonly DeclaredSpace[] | null> {
  if (entry.mode === 'symlink' || entry.mode === 'submodule') return null;
  if (entry.size !== undefined && entry.size > MAX_CONFIG_BYTES) return null;
  for await (const { bytes } of read([entry])) {
    const parsed = parseConfig(new TextDecoder().decode(bytes));
    return 'problems' in parsed || parsed.config.spaces.length === 0 ? null : parsed.config.spaces;
  }
  return null;
}
