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

/** One that is repeated for as long as its site is as it was. */
export interface RepeatedAnswer extends RecentAnswer {
  readonly served: ServedSite;
}

/** What a request asks for: its path, as it was sent, and how. */
interface Asked {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** All of them are among the finished answers, too, until they are asked for no more. */
const MAX_BYTES = 32 * 1024 * 1024;

/** What everybody got at the addresses that were just asked for: an address that many ask for is taken apart once. */
export class RecentAnswers {
  readonly #answers = new LRUCache<string, RepeatedAnswer>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ answer: { bytes } }, key) =>
      Object.values(bytes).reduce((size, { length }) => size + length, key.length + 3_000),
  });

  find(asked: Asked): RepeatedAnswer | undefined {
    return isPlain(asked) ? this.#answers.get(addressOf(asked)) : undefined;
  }

  /** Does nothing for a request whose answer depends on more than its address. */
  keep(asked: Asked, repeated: RepeatedAnswer): void {
    if (isPlain(asked) && !asked.url.includes('?')) this.#answers.set(addressOf(asked), repeated);
  }
}

/** By the host as it was sent, too: the same path means another site at another one. */
const addressOf = ({ url, headers }: Asked) => `${headers.host} ${url}`;

/** Whether a request asks for what is at its address in no special form. */
function isPlain({ headers: { accept } }: Asked): boolean {
  return accept === undefined || !/text\/markdown|json/.test(accept);
}
