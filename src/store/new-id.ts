import { randomBytes } from 'node:crypto';

/** A new id: 20 characters of A–Z, a–z, 0–9, `-` and `_`, with 120 random bits. Unguessable, so it can serve as the key to a page. */
export function newId(): string {
  return randomBytes(15).toString('base64url');
}
