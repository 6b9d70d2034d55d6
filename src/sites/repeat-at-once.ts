import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RecentAnswers } from './recent-answers.ts';
import { repeatAgain } from './send-finished.ts';
import type { ServedSites, SiteKey } from './served-sites.ts';
import type { SiteHosts } from './site-hosts.ts';

/** Answers a request and returns true; false where somebody else has to. */
export type AnswerFirst = (request: IncomingMessage, response: ServerResponse) => boolean;

interface Parts {
  readonly hosts: SiteHosts;
  readonly sites: Pick<ServedSites, 'findFresh'>;
  readonly recent: RecentAnswers;
  /** Whether sites without a host of their own are below `/s`. */
  readonly arePaths: boolean;
}

/**
 * Repeats what was just sent to everybody before the framework takes a request apart, which takes longer than sending it.
 * Whatever is special about a request is left to the framework: only what it repeated before, at the very same address, is
 * repeated here.
 */
export function repeatAtOnce({ hosts, sites, recent, arePaths }: Parts): AnswerFirst {
  return (request, response) => {
    if (!mayRepeat(request)) return false;
    const key = keyOf(request);
    const served = key && sites.findFresh(key);
    const { url: originalUrl = '', headers } = request;
    const found = served && recent.find(served, { originalUrl, headers });
    return found ? repeatAgain({ request, response }, found) : false;
  };

  /** Where the site is for which the request is; null where that is not plain. */
  function keyOf({ url = '', headers: { host = '' } }: IncomingMessage): SiteKey | null {
    const name = host.toLowerCase().replace(/:\d+$/, '');
    const owner = hosts.find(name);
    if (owner === 'site') return { hostname: name };
    if (owner !== null) {
      const [, basename] = /^\/([\w-]+)(?=\/|$)/.exec(url) ?? [];
      return basename === undefined ? null : { organization: owner.organization, basename };
    }
    const [, organization, basename] = (arePaths && /^\/s\/([\w-]+)\/([\w-]+)(?=\/|$)/.exec(url)) || [];
    return organization === undefined || basename === undefined ? null : { organization, basename };
  }
}

/** Who sends a body waits for the answer of a surface that reads it. */
export function mayRepeat({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  return !hasBody && (method === 'GET' || method === 'HEAD');
}
