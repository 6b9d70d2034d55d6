import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares in constant time, for texts of any lengths. */
export function isSameSecret(actual: string, expected: string): boolean {
  return timingSafeEqual(digest(actual), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
