import { createHash } from 'node:crypto';
import type { ObjectType } from './objects.ts';

/** The algorithm that a repository names its objects by. */
export type HashName = 'sha1' | 'sha256';

/** The algorithm behind an oid, told by its length: SHA-256 repositories have oids of 64 digits. */
export function hashOf(oid: string): HashName {
  return oid.length === 64 ? 'sha256' : 'sha1';
}

/** The oid that git gives to an object: the digest of its type, its size and its bytes. See git-hash-object(1). */
export function objectOid(type: ObjectType, bytes: Uint8Array, hash: HashName): string {
  return createHash(hash).update(`${type} ${bytes.length}\0`).update(bytes).digest('hex');
}
