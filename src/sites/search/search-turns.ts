import PQueue from 'p-queue';
import { networkOf } from '../../identity/index.ts';

/** Searches of sites that one process runs at once: they share the database with everything else. */
const AT_ONCE = 4;
/** Searches that run or wait; more would wait longer than people do. */
const MAX_UNDER_WAY = 64;
/** In seconds: a full line is worked off by then. */
const RETRY_AFTER = 2;

/** So many searches are under way at this moment that one more would wait too long. */
export class TooManySearches extends Error {
  override readonly name = 'TooManySearches';
  readonly retryAfter = RETRY_AFTER;

  constructor() {
    super(
      `Too many searches are under way at this moment. Search again in ${RETRY_AFTER} seconds, and send one search at a time.`,
    );
  }
}

/**
 * Lets the searches of sites take turns. Whoever has many under way leaves at least as many places to others, so that a
 * line is full for one client long before it is for everybody.
 */
export class SearchTurns {
  readonly #queue: PQueue;
  readonly #maxUnderWay: number;
  readonly #byNetwork = new Map<string, number>();
  #underWay = 0;

  constructor({ atOnce = AT_ONCE, maxUnderWay = MAX_UNDER_WAY } = {}) {
    this.#queue = new PQueue({ concurrency: atOnce });
    this.#maxUnderWay = maxUnderWay;
  }

  /** @param address of the client. @throws {TooManySearches} */
  async take<T>(address: string, search: () => Promise<T>): Promise<T> {
    const network = networkOf(address);
    const own = this.#byNetwork.get(network) ?? 0;
    if (own >= this.#maxUnderWay - this.#underWay) throw new TooManySearches();
    this.#underWay += 1;
    this.#byNetwork.set(network, own + 1);
    try {
      return await this.#queue.add(search);
    } finally {
      this.#underWay -= 1;
      const left = (this.#byNetwork.get(network) ?? 1) - 1;
      if (left === 0) this.#byNetwork.delete(network);
      else this.#byNetwork.set(network, left);
    }
  }
}
