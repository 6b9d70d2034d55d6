/** The folders of `DATA_DIR`. `docs/operation.md` says what limits each of them. */
export const DATA_FOLDERS = {
  blobs: 'blobs',
  blobCache: 'blob-cache',
  git: 'git',
  postgres: 'postgres',
} as const;
