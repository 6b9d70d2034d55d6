/** The store room: the database and what is kept beside it. */
export { BlobMissing, type BlobStore, openBlobs } from './blobs.ts';
export type { Database, Db } from './db.ts';
export { newId } from './new-id.ts';
export { openStore, type Store, type StoreOptions } from './open-store.ts';
export * as tables from './schema/index.ts';
export { openSealer, type Sealer, type SealerOptions } from './sealer.ts';
