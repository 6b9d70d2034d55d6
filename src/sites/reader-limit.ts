import { hashToken, networkOf } from '../identity/index.ts';
import { claimCall, type Db } from '../store/index.ts';

const WINDOW_MS = 10 * 60 * 1000;

/** Counts what readers do, in all processes together. Who they are is not stored: only a digest of their network, for a day. */
export class ReaderLimit {
  readonly #db: Db;
  readonly #what: string;
  readonly #max: number;

  /** In seconds. */
  readonly retryAfter = WINDOW_MS / 1000;

  /**
   * @param what is counted, apart from everything else
   * @param max what one reader can do within ten minutes: more is no reader
   */
  constructor(db: Db, what: string, max: number) {
    this.#db = db;
    this.#what = what;
    this.#max = max;
  }

  /** Whether the client with this address may do it once more. */
  async take(address: string): Promise<boolean> {
    const reader = hashToken(`${this.#what} ${networkOf(address)}`);
    const key = `readers:${this.#what}:${reader}`;
    return (await claimCall(this.#db, key, { count: this.#max, ms: WINDOW_MS })) === 0;
  }
}
