import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Http } from '../../net/index.ts';
import { DATA_FOLDERS } from '../data-folders.ts';
import type { Database } from '../db.ts';
import type { Log } from '../log.ts';
import { openBlobCache } from './blob-cache.ts';
import type { BlobStore } from './blob-store.ts';
import { claimPrefix } from './claim-prefix.ts';
import { openFolderBlobs } from './folder-blobs.ts';
import { openObjectBlobs } from './object-blobs.ts';
import { createObjectStore, ObjectStoreError, type ObjectStoreSettings } from './object-store.ts';

export interface BlobSettings {
  /** Null for the folder of DATA_DIR. */
  readonly objects: ObjectStoreSettings | null;
  /** How much of an object store stays on this machine, in bytes. */
  readonly cacheBytes: number;
}

export interface BlobsOptions {
  readonly dataDir: string;
  readonly settings: BlobSettings;
  readonly db: Database;
  /** For the object store, whose address the operator sets: without a guard. */
  readonly http: Http;
  /** Whether blobs that the object store lacks are read from the folder (true). */
  readonly readsFolder?: boolean;
  readonly log?: Log;
}

/**
 * Opens the bytes of files: in the folder of DATA_DIR, or in an object store. What the folder has from before is read
 * until it is in the object store.
 *
 * @throws PrefixTaken when the object store has the bytes of another database there
 */
export async function openBlobs({
  dataDir,
  settings,
  db,
  http,
  readsFolder = true,
  log,
}: BlobsOptions): Promise<BlobStore> {
  const folder = join(dataDir, DATA_FOLDERS.blobs);
  if (settings.objects === null) return await openFolderBlobs(folder);
  const objects = createObjectStore(settings.objects, http);
  await claimPrefix(objects, db).catch((error: Error) => {
    // While the store does not answer, everything else works; readiness says so.
    if (!(error instanceof ObjectStoreError)) throw error;
    log?.('The object store cannot be used at this moment.', { reason: error.message });
  });
  return openObjectBlobs({
    objects,
    db,
    cache: await openBlobCache(join(dataDir, DATA_FOLDERS.blobCache), settings.cacheBytes),
    former: readsFolder && existsSync(folder) ? await openFolderBlobs(folder) : null,
    ...(log && { log }),
  });
}
