import type { Readable } from 'node:stream';

/** The bytes of files, by the git oid of the blob: 40 hexadecimal digits (SHA-1) or 64 (SHA-256), lower case. */
export interface BlobStore {
  /** Renews the time of the blob if it exists, so that a concurrent sweep does not delete it. */
  has(oid: string): Promise<boolean>;
  /**
   * Stores the bytes. When it returns, all are stored durably. A blob of the same size that exists already is not written
   * again, unless it is to be replaced because its bytes were found to be other ones.
   */
  write(oid: string, bytes: Uint8Array, options?: { readonly replaces?: boolean }): Promise<void>;
  /** @throws {BlobMissing} */
  read(oid: string): Promise<Buffer>;
  /** All bytes, or those from `start` to `end`, both inclusive and counted from 0. @throws {BlobMissing} before the first byte. */
  stream(oid: string, range?: BlobRange): Promise<Readable>;
  /** In bytes, after they were compared with the oid. @throws {BlobMissing} */
  size(oid: string): Promise<number>;
  /** The oids of blobs that were written, or last found by `has`, before a moment. */
  listOlder(before: Date): AsyncIterable<string>;
  /** Deletes a blob, unless its time was renewed since `before`. Returns whether it was deleted. */
  remove(oid: string, before: Date): Promise<boolean>;
  /** Why bytes cannot be stored or read at this moment, in one sentence; null when they can. */
  findTrouble(): Promise<string | null>;
}

/** Both inclusive, counted from 0. */
export interface BlobRange {
  readonly start: number;
  readonly end: number;
}

/** There is no blob with this oid. */
export class BlobMissing extends Error {
  override readonly name: string = 'BlobMissing';

  constructor(oid: string, message = `The bytes of blob ${oid} are not in the store.`) {
    super(message);
  }
}

/** What the store has under this oid are other bytes, so its own are as good as missing. */
export class BlobDamaged extends BlobMissing {
  override readonly name = 'BlobDamaged';

  constructor(oid: string) {
    super(oid, `What the store has as blob ${oid} are other bytes.`);
  }
}

/** An oid becomes part of a path, so nothing but hexadecimal digits is accepted. */
export function requireOid(oid: string): string {
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(oid)) {
    throw new TypeError(
      `"${String(oid).slice(0, 80)}" is not an oid: it must be 40 or 64 hexadecimal digits in lower case.`,
    );
  }
  return oid;
}
