import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The blobs of a repository that were found to be too large, one oid per line, so that no fetch requests them again. */
const fileName = 'docloom-too-large';

export async function readTooLarge(gitDir: string): Promise<ReadonlySet<string>> {
  const text = await readFile(join(gitDir, fileName), 'latin1').catch(() => '');
  return new Set(text.split('\n').filter((oid) => oid !== ''));
}

/** Call it only under the repository's lock. */
export async function recordTooLarge(gitDir: string, oids: readonly string[]): Promise<void> {
  if (oids.length > 0) await appendFile(join(gitDir, fileName), `${oids.join('\n')}\n`);
}
