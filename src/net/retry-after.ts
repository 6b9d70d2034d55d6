/**
 * Parses the delay of a `Retry-After` header to milliseconds (RFC 9110, 10.2.3: seconds or an HTTP date).
 * A date in the past is 0; null for an absent or malformed header.
 *
 * @param now milliseconds since the epoch
 */
export function parseRetryAfter(value: string | null | undefined, now: number): number | null {
  const text = value?.trim();
  if (!text) return null;
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  // Date.parse accepts nearly anything, so check for the shape of an HTTP date first.
  if (!/^[A-Za-z]{3,9},? .*\d\d:\d\d:\d\d/.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** Milliseconds before the next try: `baseMs` doubled per attempt (from 0) up to `capMs`, less a random part of up to a half. */
export function backoff(attempt: number, baseMs: number, capMs: number, random = Math.random): number {
  const ceiling = Math.min(capMs, baseMs * 2 ** attempt);
  return Math.round(ceiling / 2 + (random() * ceiling) / 2);
}
