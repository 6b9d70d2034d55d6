import { createHash } from 'node:crypto';
import type { ObjectType } from './objects.ts';

/** The hash algorithm of a repository's object names. */
export type HashName = 'sha1' | 'sha256';

/** The algorithm of an oid, recognized by its length: SHA-256 oids have 64 digits. */
export function hashOf(oid: string): HashName {
  return oid.length === 64 ? 'sha256' : 'sha1';
}

/** Returns the oid of an object: the digest of its type, its size and its bytes. See git-hash-object(1). */
export function objectOid(type: ObjectType, bytes: Uint8Array, hash: HashName): string {
  return createHash(hash).update(`${type} ${bytes.length}\0`).update(bytes).digest('hex');
}
