import { createHash } from 'node:crypto';

/** The oid that git gives to these bytes; SHA-256 repositories have oids of 64 digits. See gitformat-pack(5) and git-hash-object(1). */
export function blobOid(bytes: Uint8Array, algorithm: 'sha1' | 'sha256'): string {
  return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
