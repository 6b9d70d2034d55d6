import { LRUCache } from 'lru-cache';
import { networkOf } from '../identity/index.ts';

const WINDOW_MS = 10 * 60 * 1000;

/** Networks that are counted at once; the one that was counted first longest ago is forgotten first. */
const MAX_NETWORKS = 10_000;

/** Counts what readers do in one process, without storing who they are. */
export class ReaderLimit {
  readonly #max: number;
  readonly #counts = new LRUCache<string, number>({ max: MAX_NETWORKS, ttl: WINDOW_MS, noUpdateTTL: true });

  /** In seconds. */
  readonly retryAfter = WINDOW_MS / 1000;

  /** @param max what one reader can do within ten minutes: more is no reader */
  constructor(max: number) {
    this.#max = max;
  }

  /** Whether the client with this address may do it once more. */
  take(address: string): boolean {
    const network = networkOf(address);
    const count = this.#counts.get(network) ?? 0;
    if (count >= this.#max) return false;
    this.#counts.set(network, count + 1);
    return true;
  }
}
