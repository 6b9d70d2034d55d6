import { Readable } from 'node:stream';
import { BlobMissing, loadFile, type RevisionRow, type SpaceRow } from '../../store/index.ts';
import type { PlatformDeps } from '../deps.ts';
import { answerLostBytes, readReceived } from './lost-bytes.ts';

/** A file whose bytes the space received. */
export interface SpaceFile {
  readonly name: string;
  readonly contentType: string;
  /** In bytes. */
  readonly size: number;
  /** Names its bytes: another file, or the same one later, has another. */
  readonly etag: string;
  open(): Promise<Readable>;
}

/**
 * Finds a file of a revision; null when there is none, or its bytes are not stored. Whether its reader may have it is
 * decided before.
 *
 * @throws {ApiError} `unavailable` when its bytes were lost, and may be fetched again
 */
export async function openSpaceFile(
  deps: Pick<PlatformDeps, 'db' | 'blobs' | 'log' | 'refetch'>,
  { space, revision }: { readonly space: Pick<SpaceRow, 'id'>; readonly revision: RevisionRow },
  fileId: string,
): Promise<SpaceFile | null> {
  const { db, blobs } = deps;
  const file = await loadFile(db, revision, fileId);
  if (file === null) return null;
  const { gitOid, name, contentType } = file;
  const bytes = { spaceId: space.id, oid: gitOid, of: 'file' } as const;
  try {
    const found = await readReceived(deps, bytes, () => blobs.size(gitOid));
    if (found === null) return null;
    const size = found.value;
    const open = async () => {
      try {
        return size === 0 ? Readable.from([]) : await blobs.stream(gitOid, { start: 0, end: size - 1 });
      } catch (error) {
        throw (error instanceof BlobMissing && (await answerLostBytes(deps, bytes))) || error;
      }
    };
    return { name, contentType, size, etag: gitOid, open };
  } catch (error) {
    if (!(error instanceof BlobMissing)) throw error;
    const answer = await answerLostBytes(deps, bytes);
    if (answer === null || answer.reason === 'bytes-not-stored') return null;
    throw answer;
  }
}
