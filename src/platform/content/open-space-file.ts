import { Readable } from 'node:stream';
import { BlobMissing, listSpaceBlobs, loadFile, type RevisionRow, type SpaceRow } from '../../store/index.ts';
import type { PlatformDeps } from '../deps.ts';

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

/** Finds a file of a revision; null when there is none, or its bytes are not stored. Whether its reader may have it is decided before. */
export async function openSpaceFile(
  { db, blobs }: Pick<PlatformDeps, 'db' | 'blobs'>,
  { space, revision }: { readonly space: Pick<SpaceRow, 'id'>; readonly revision: RevisionRow },
  fileId: string,
): Promise<SpaceFile | null> {
  const file = await loadFile(db, revision, fileId);
  if (file === null) return null;
  const { gitOid, name, contentType } = file;
  if (!(await listSpaceBlobs(db, space.id, [gitOid])).has(gitOid)) return null;
  try {
    const size = await blobs.size(gitOid);
    const open = async () =>
      size === 0 ? Readable.from([]) : await blobs.stream(gitOid, { start: 0, end: size - 1 });
    return { name, contentType, size, etag: gitOid, open };
  } catch (error) {
    if (error instanceof BlobMissing) return null;
    throw error;
  }
}
