import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { FinishedAnswer } from './finished-answer.ts';
import type { ServedSite } from './served-sites.ts';

/** An answer that everybody gets, as it was just sent. */
export interface RecentAnswer {
  readonly answer: FinishedAnswer;
  readonly caching: string;
  /** What all answers of the site have. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What a request asks for: its address as it was sent, and how. */
export interface AskedAddress {
  readonly originalUrl: string;
  readonly headers: IncomingHttpHeaders;
}

/** All of them are among the finished answers, too, until they are asked for no more. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * What everybody gets at the addresses that were just asked for, by the site as it is: one that changed is another, so
 * nothing is out of date, and an address that many ask for is taken apart once.
 */
export class RecentAnswers {
  readonly #answers = new LRUCache<string, RecentAnswer>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ answer: { bytes } }, key) =>
      Object.values(bytes).reduce((size, { length }) => size + length, key.length + 3_000),
  });
  /** Short names of sites as they are. */
  readonly #names = new WeakMap<ServedSite, string>();
  #sites = 0;

  find(served: ServedSite, asked: AskedAddress): RecentAnswer | undefined {
    const name = this.#names.get(served);
    return name === undefined || !isPlain(asked) ? undefined : this.#answers.get(name + asked.originalUrl);
  }

  /** Does nothing for a request whose answer depends on more than its path. */
  keep(served: ServedSite, asked: AskedAddress, recent: RecentAnswer): void {
    if (!isPlain(asked)) return;
    let name = this.#names.get(served);
    if (name === undefined) {
      this.#sites += 1;
      name = `${this.#sites} `;
      this.#names.set(served, name);
    }
    this.#answers.set(name + asked.originalUrl, recent);
  }
}

/** Whether a request asks for what is at its path, with no query and in no special form. */
function isPlain({ originalUrl, headers: { accept } }: AskedAddress): boolean {
  return !originalUrl.includes('?') && (accept === undefined || !/text\/markdown|json/.test(accept));
}
