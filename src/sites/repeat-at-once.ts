import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RecentAnswers } from './recent-answers.ts';
import { repeatAgain } from './send-finished.ts';
import type { ServedSites } from './served-sites.ts';

/** Answers a request and returns true; false where somebody else has to. */
export type AnswerFirst = (request: IncomingMessage, response: ServerResponse) => boolean;

interface Parts {
  readonly sites: Pick<ServedSites, 'isFresh'>;
  readonly recent: RecentAnswers;
}

/**
 * Repeats what was just sent to everybody before the framework takes a request apart, which takes longer than sending it.
 * Whatever is special about a request is left to the framework: only what it repeated before, at the very same address, is
 * repeated here.
 */
export function repeatAtOnce({ sites, recent }: Parts): AnswerFirst {
  return (request, response) => {
    if (!mayRepeat(request)) return false;
    const { url = '', headers } = request;
    const found = recent.find({ url, headers });
    return found !== undefined && sites.isFresh(found.served) && repeatAgain({ request, response }, found);
  };
}

/** Who sends a body waits for the answer of a surface that reads it. */
export function mayRepeat({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  return !hasBody && (method === 'GET' || method === 'HEAD');
}
