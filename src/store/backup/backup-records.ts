import type { RecordHeader } from './archive.ts';

/** The first record: what the rest needs. */
export interface BackupManifest extends RecordHeader {
  readonly kind: 'manifest';
  /** The release of Docloom that wrote it. */
  readonly release: string;
  /** When the state that it has was the database's. */
  readonly takenAt: string;
  /** Which key seals the secrets in it; null when none was recorded. */
  readonly keyId: string | null;
  /** The digests of the migrations of its tables, in their order. */
  readonly migrations: readonly string[];
}

/** The bytes of a file. */
export interface BlobRecord extends RecordHeader {
  readonly kind: 'blob';
  readonly oid: string;
}

/** The rows of a table, in the text format of COPY, compressed by gzip. */
export interface TableRecord extends RecordHeader {
  readonly kind: 'table';
  readonly name: string;
  readonly columns: readonly string[];
}

/** Where the sequences stand. */
export interface SequencesRecord extends RecordHeader {
  readonly kind: 'sequences';
  readonly values: Readonly<Record<string, string>>;
}

export type BackupRecord = BackupManifest | BlobRecord | TableRecord | SequencesRecord;
