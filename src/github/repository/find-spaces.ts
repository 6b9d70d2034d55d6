import {
  type DeclaredSpace,
  type DetectedSpace,
  detectSpaces,
  type ReadBlobs,
  type TreeEntry,
} from '../../content/index.ts';
import type { GitRemote, GitRepository } from '../../git/index.ts';
import { contentThreads } from '../../threads/index.ts';
import type { SpaceBinding } from './repository-config.ts';

/** A fetched tree, and where to read its blobs. */
export interface SpaceSource {
  readonly repository: GitRepository;
  readonly remote: GitRemote;
  readonly tree: readonly TreeEntry[];
  readonly signal: AbortSignal;
  /** The title of a space that is the whole repository. */
  readonly name: string;
}

/** The maximum length of a title in a configuration. */
const MAX_TITLE_LENGTH = 100;

/**
 * The parts of a tree with their formats: the declared spaces, or without a configuration the detected ones, and what is
 * beside them.
 */
export async function findSpaces(
  source: SpaceSource,
  declared: readonly DeclaredSpace[] | null,
): Promise<readonly RepositorySpace[]> {
  const { tree, name } = source;
  const found = await detectSpaces({
    tree,
    read: readBlobsOf(source),
    readValues: contentThreads.readValues,
    ...(declared === null ? {} : { declared }),
  });
  return nameSpaces(found, name);
}

/** Reads the blobs of tree entries from the cache, and missing ones from the remote; `commit` is a commit that has them. */
export function readBlobsOf(
  { repository, remote, signal }: Pick<SpaceSource, 'repository' | 'remote' | 'signal'>,
  commit?: string,
): ReadBlobs {
  return (entries) =>
    repository.readBlobs(
      entries.map(({ oid }) => oid),
      remote,
      { signal, ...(commit !== undefined && { commit }) },
    );
}

/** A part of a repository, with a title. */
export type RepositorySpace = SpaceBinding & Omit<DetectedSpace, 'directory' | 'title'>;

/** Assigns each part a unique title: the builder's, the folder's, or the repository's name. */
export function nameSpaces(
  found: readonly DetectedSpace[],
  repositoryName: string,
): readonly RepositorySpace[] {
  const titles = ownTitles(found, repositoryName);
  return found.map((part, at) => ({ ...part, title: titles[at] ?? repositoryName }));
}

/** Unique titles in the same order: the part's own, or the folder's, or the repository's name. */
export function ownTitles(
  parts: readonly { readonly directory: string; readonly title?: string | null | undefined }[],
  repositoryName: string,
): readonly string[] {
  const used = new Set<string>();
  return parts.map(({ directory, title }) => {
    const plain = (title ?? titleOf(directory, repositoryName)).trim().slice(0, MAX_TITLE_LENGTH);
    const wanted = plain === '' ? repositoryName : plain;
    const unique = used.has(wanted) ? `${wanted} (${directory || 'root'})`.slice(-MAX_TITLE_LENGTH) : wanted;
    used.add(unique);
    return unique;
  });
}

function titleOf(directory: string, repositoryName: string): string {
  if (directory === '') return repositoryName;
  return directory.slice(directory.lastIndexOf('/') + 1);
}
