import type { CommitFiles } from '../../github/index.ts';
import { PermanentFailure } from '../../queue/index.ts';
import { openSpecThread } from './open-spec-thread.ts';
import { readSpecFiles, TOO_MUCH } from './read-spec-files.ts';

export interface CollectedSpec {
  /** The texts by path, the first file among them. */
  readonly texts: Readonly<Record<string, string>>;
  /** The oids of all requested files; null for missing ones. */
  readonly oids: Readonly<Record<string, string | null>>;
}

/**
 * Reads a specification at a commit with the files that it refers to. The platform reports its mistakes.
 *
 * @throws PermanentFailure with a sentence for people when it cannot be read
 */
export async function collectSpecFiles(
  commit: CommitFiles,
  entry: string,
  signal: AbortSignal,
): Promise<CollectedSpec> {
  const thread = openSpecThread();
  const files = readSpecFiles(commit);
  try {
    await thread.check({ old: null, next: entry }, (_side, file) => files.read(file), signal);
  } finally {
    await thread.close();
  }
  if (files.excess !== null) throw new PermanentFailure(`${files.excess}: ${TOO_MUCH}`);
  return { texts: Object.fromEntries(files.texts), oids: Object.fromEntries(files.oids) };
}
