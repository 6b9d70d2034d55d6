import type { GitTreeEntry, RepositoryCache } from '../../git/index.ts';
import type { AppAccess } from './app-access.ts';
import { mintRemote, type Repository, repositoryCacheId } from './repository.ts';

/** The files of a commit. */
export interface CommitFiles {
  readonly entries: ReadonlyMap<string, GitTreeEntry>;
  /** The bytes of a file; null when it is too large to be read. */
  read(entry: GitTreeEntry): Promise<Uint8Array | null>;
}

export type OpenCommit = (
  installationId: number,
  repository: Repository,
  oid: string,
  signal: AbortSignal,
  /** A ref from which the commit is reachable, where no branch of the repository reaches it. */
  ref?: string,
) => Promise<CommitFiles>;

/** Reads commits through the cache, with a fresh token for each. */
export function commitReader(git: RepositoryCache, access: AppAccess): OpenCommit {
  return async (installationId, repository, oid, signal, ref) => {
    const remote = await mintRemote(await access.app({ signal }), installationId, repository);
    const cached = await git.repository(repositoryCacheId(repository));
    const fetched = ref === undefined ? null : await cached.fetchRef(remote, ref, { signal });
    if (fetched !== oid) await cached.fetchCommit(remote, oid, { signal });
    const tree = await cached.readTree(oid);
    return {
      entries: new Map(tree.map((entry) => [entry.path, entry])),
      async read(entry) {
        for await (const { bytes } of cached.readBlobs([entry.oid], remote, { commit: oid, signal }))
          return bytes;
        return null;
      },
    };
  };
}
