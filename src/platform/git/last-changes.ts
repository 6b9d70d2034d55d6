import type { GitRemote, GitRepository } from '../../git/index.ts';
import type { RevisionRow } from '../../store/index.ts';
import type { OperationContext } from './record-progress.ts';
import type { SourceCommit } from './source-commit.ts';
import type { StoredImport } from './stored-request.ts';

/** When the file at a path was last changed; undefined where that is not known. */
export type FindLastChange = (path: string) => Date | undefined;

export interface ImportedCommit {
  readonly current: RevisionRow;
  readonly repository: GitRepository;
  readonly remote: GitRemote;
  readonly source: SourceCommit;
  readonly request: Pick<StoredImport, 'directory'>;
}

/**
 * When commits changed the files of an import. What differs from the content before came with the commit that is imported.
 * Where there is none before, as at the first import, the history says it. That readers see when a page was written is not
 * worth an import: without a history, nothing is known.
 */
export async function findLastChanges(
  { deps, run, signal }: OperationContext,
  { current, repository, remote, source, request }: ImportedCommit,
): Promise<FindLastChange> {
  const now = Date.now();
  const notLater = (date: Date) => (date.getTime() > now ? undefined : date);
  if (run.standalone || current.commitOid !== null) return () => notLater(source.committedAt);
  try {
    const changes = await repository.readLastChanges(remote, source.oid, {
      directory: request.directory,
      signal,
    });
    return (path) => (changes === null ? undefined : notLater(changes.byPath.get(path) ?? changes.oldest));
  } catch (error) {
    signal.throwIfAborted();
    deps.log.info({ err: error, spaceId: run.spaceId }, 'the history of a space was not read');
    return () => undefined;
  }
}
