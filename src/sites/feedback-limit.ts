import { LRUCache } from 'lru-cache';
import { networkOf } from '../identity/index.ts';

/** What one reader can say within {@link WINDOW_MS}: more is no reader. */
const MAX_SENT = 10;

const WINDOW_MS = 10 * 60 * 1000;

/** Networks that are counted at once; the one that said something longest ago is forgotten first. */
const MAX_NETWORKS = 10_000;

/** Counts what readers say of pages in one process, without storing who they are. */
export class FeedbackLimit {
  readonly #sent = new LRUCache<string, number>({ max: MAX_NETWORKS, ttl: WINDOW_MS, noUpdateTTL: true });

  /** In seconds. */
  readonly retryAfter = WINDOW_MS / 1000;

  /** Whether one more is taken from the client with this address. */
  take(address: string): boolean {
    const network = networkOf(address);
    const sent = this.#sent.get(network) ?? 0;
    if (sent >= MAX_SENT) return false;
    this.#sent.set(network, sent + 1);
    return true;
  }
}
