import { createHash } from 'node:crypto';
import type { RepositoryAddress } from '../../content/index.ts';
import type { GitRepository } from '../../git/index.ts';
import type { GitOperationRow, RevisionOrigin } from '../../store/index.ts';
import { OperationFailure } from './operation-failure.ts';
import type { StoredImport } from './stored-request.ts';

/** Raised when the code derives other content from the same tree, so that an import does not reuse the old result. */
const derivationVersion = 4;

/** The commit that was imported. */
export interface SourceCommit {
  readonly oid: string;
  readonly message: string;
  readonly committedAt: Date;
  /** The commit's whole tree, and the one below the space's directory. */
  readonly rootTreeOid: string;
  readonly treeOid: string;
  readonly ref: string;
  /** The commit's web page; null if it is not known. */
  readonly url: string | null;
  /** A digest of everything that the content is derived from. */
  readonly inputs: string;
}

/** Reads the commit of an import. */
export async function readSourceCommit(
  repository: GitRepository,
  run: GitOperationRow,
  request: StoredImport,
  commitOid: string,
): Promise<SourceCommit> {
  const commit = await repository.readCommit(commitOid);
  const treeOid = await repository.readTreeOid(commitOid, request.directory);
  if (treeOid === null) {
    throw new OperationFailure(
      'directory-not-found',
      `The folder ${request.directory} is not in the commit ${commitOid.slice(0, 12)} of ${run.ref}; check the folder's name, upper and lower case included.`,
      { path: request.directory },
    );
  }
  return {
    oid: commitOid,
    message: commit.message,
    committedAt: commit.committer.at,
    rootTreeOid: commit.tree,
    treeOid,
    ref: run.ref,
    url: commitUrlOf(request, commitOid),
    inputs: inputsOf(request, run.ref, commit.tree),
  };
}

/** A digest of everything that the content is derived from. */
export function inputsOf(
  request: Pick<StoredImport, 'directory' | 'repoTreeURL' | 'gitInfo'>,
  ref: string,
  rootTreeOid: string,
): string {
  const { directory, repoTreeURL, gitInfo } = request;
  const inputs = [derivationVersion, rootTreeOid, directory, ref, repoTreeURL ?? null, gitInfo?.url ?? null];
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex');
}

/** The URL of a commit's web page; null if the request has no prefix for it. */
export function commitUrlOf(request: Pick<StoredImport, 'repoCommitURL'>, commitOid: string): string | null {
  const prefix = request.repoCommitURL;
  return prefix === undefined ? null : `${prefix.replace(/\/$/, '')}/${commitOid}`;
}

/** The fields of a revision about the commit that it was imported from. */
export function commitFields(source: SourceCommit) {
  return {
    commitOid: source.oid,
    treeOid: source.treeOid,
    rootTreeOid: source.rootTreeOid,
    inputs: source.inputs,
    ref: source.ref,
    message: source.message,
    commitUrl: source.url,
  };
}

/** The web addresses of the repository, from the request. */
export function toRevisionOrigin(request: StoredImport, ref: string): RevisionOrigin {
  const repository = addressOf(request, ref);
  return {
    ...(request.repoTreeURL === undefined ? {} : { treeUrl: request.repoTreeURL }),
    ...(repository === undefined ? {} : { repository }),
  };
}

/** The repository's web address, so that links to its own web pages count as links into the tree. */
function addressOf(request: StoredImport, ref: string): RepositoryAddress | undefined {
  const url = URL.parse(request.gitInfo?.url ?? '');
  const fullName = url?.pathname.replace(/^\/|\.git$|\/$/g, '');
  if (request.gitInfo?.provider !== 'github' || !url || !fullName || !ref.startsWith('refs/heads/'))
    return undefined;
  return { fullName, branch: ref.slice('refs/heads/'.length), htmlHost: url.host };
}
