import { TOKEN_DAYS } from '../views/new-token-view.ts';

const DAY_MS = 24 * 60 * 60_000;

/** The moment at which a new token expires, by what was chosen in its form; the shortest for anything else. */
export function expiryAfter(chosen: string, now: Date): string {
  const days = TOKEN_DAYS.find((one) => String(one) === chosen) ?? TOKEN_DAYS[0];
  return new Date(now.getTime() + days * DAY_MS).toISOString();
}
