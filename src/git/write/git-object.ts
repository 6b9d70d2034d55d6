import { createHash } from 'node:crypto';
import type { ObjectType, RawObject } from '../objects.ts';

/** The algorithm that a repository names its objects by, told by the length of an oid. */
export type HashName = 'sha1' | 'sha256';

export function hashOf(oid: string): HashName {
  return oid.length === 64 ? 'sha256' : 'sha1';
}

/** An object under the oid that git gives it: the digest of its type, its size and its bytes. */
export function toObject(type: ObjectType, bytes: Buffer, hash: HashName): RawObject {
  const oid = createHash(hash).update(`${type} ${bytes.length}\0`).update(bytes).digest('hex');
  return { oid, type, bytes };
}
