import { type HashName, objectOid } from '../object-oid.ts';
import type { ObjectType, RawObject } from '../objects.ts';

/** An object with its oid. */
export function toObject(type: ObjectType, bytes: Buffer, hash: HashName): RawObject {
  return { oid: objectOid(type, bytes, hash), type, bytes };
}
