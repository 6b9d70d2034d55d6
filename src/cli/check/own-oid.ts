import type { Oid } from '../../content/index.ts';

let ownOids = 0;

/** An oid of the right form that no other file has. */
export function ownOid(): Oid {
  ownOids += 1;
  return ownOids.toString(16).padStart(40, '0');
}

/** Whether an oid was made up here and is not that of the bytes. */
export function isOwnOid(oid: Oid): boolean {
  return oid.startsWith('0'.repeat(24));
}
