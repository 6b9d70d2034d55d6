import type { TreeEntry } from '../model/index.ts';
import type { TextFile } from './find-similar.ts';
import type { ReadBlobs } from './read-texts.ts';

/** Larger files, or more bytes together, are not worth the cost of a comparison. */
const MAX_BYTES = 1024 * 1024;
const MAX_TOTAL = 32 * 1024 * 1024;

/** Whether a file may be compared with others, to find out where it came from. */
export function isComparable({ mode, size = 0 }: TreeEntry): boolean {
  return (mode === 'file' || mode === 'executable') && size <= MAX_BYTES;
}

/** The bytes of files that are compared with each other; none where that is too much. */
export async function readComparable(
  entries: readonly TreeEntry[],
  read: ReadBlobs,
): Promise<readonly TextFile[]> {
  const byOid = Map.groupBy(entries, ({ oid }) => oid);
  const files: TextFile[] = [];
  let total = 0;
  for await (const { oid, bytes } of read([...byOid.values()].flatMap(([first]) => first ?? []))) {
    total += bytes.length;
    if (total > MAX_TOTAL) return [];
    if (bytes.length > MAX_BYTES || bytes.length === 0) continue;
    for (const { path } of byOid.get(oid) ?? []) files.push({ path, bytes });
    byOid.delete(oid);
  }
  return files;
}
