export { BlobDamaged, BlobMissing, type BlobStore } from './blob-store.ts';
export { type CopiedBlobs, copyBlobs } from './copy-blobs.ts';
export { openFolderBlobs } from './folder-blobs.ts';
export { hashBytes } from './hash-blob.ts';
export { createObjectStore, ObjectStoreError, type ObjectStoreSettings } from './object-store.ts';
export { type BlobSettings, openBlobs } from './open-blobs.ts';
