import type { FastifyRequest } from 'fastify';
import type { FinishedAnswer } from './finished-answer.ts';
import type { ServedSite } from './served-sites.ts';

/** An answer that everybody gets, as it was just sent. */
export interface RecentAnswer {
  readonly answer: FinishedAnswer;
  readonly caching: string;
  /** What all answers of the site have. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Of one site while it need not be looked at again; all of them are among the finished answers, too. */
const MAX_ANSWERS = 1_000;

/**
 * What everybody gets at the addresses that were just asked for. A site that is looked at again has none: so nothing is
 * out of date, and an address that many ask for is taken apart some times a second only.
 */
export class RecentAnswers {
  readonly #bySite = new WeakMap<ServedSite, Map<string, RecentAnswer>>();

  find(served: ServedSite, request: FastifyRequest): RecentAnswer | undefined {
    return isPlain(request) ? this.#bySite.get(served)?.get(request.originalUrl) : undefined;
  }

  /** Does nothing for a request whose answer depends on more than its path. */
  keep(served: ServedSite, request: FastifyRequest, recent: RecentAnswer): void {
    if (!isPlain(request)) return;
    const answers = this.#bySite.get(served) ?? new Map<string, RecentAnswer>();
    if (answers.size === 0) this.#bySite.set(served, answers);
    if (answers.size < MAX_ANSWERS) answers.set(request.originalUrl, recent);
  }
}

/** Whether a request asks for what is at its path, with no query and in no special form. */
function isPlain({ originalUrl, headers }: FastifyRequest): boolean {
  const { accept } = headers;
  return !originalUrl.includes('?') && (accept === undefined || !/text\/markdown|json/.test(accept));
}
