import { type AddressGuard, createAddressGuard, createHttp, type Http } from '../net/index.ts';
import type { ServerConfig } from './config/index.ts';
import type { Teardown } from './teardown.ts';

/** How this process names itself to other servers. */
export const USER_AGENT = 'docloom';

/** Of calls for which somebody waits in a browser. */
const BROWSER_TIMEOUTS = { connectMs: 5_000, headersMs: 8_000, bodyMs: 5_000, totalMs: 10_000 };

/** Connections to servers that somebody else names, each with the guard of its addresses. */
export interface OutwardHttp {
  /** For links to other sites, and specifications at addresses. */
  readonly web: Http;
  readonly identityProviders: Http;
  /** For signing in with GitHub. */
  readonly gitHub: Http;
}

/** @param guard lets the App's GitHub through */
export function openOutwardHttp(
  config: Pick<ServerConfig, 'publicUrl' | 'allowedHosts'>,
  guard: AddressGuard,
  teardown: Teardown,
): OutwardHttp {
  const web = createHttp({
    userAgent: config.publicUrl === null ? USER_AGENT : `${USER_AGENT} (+${config.publicUrl})`,
    guard: createAddressGuard({ allowHosts: config.allowedHosts, allowHttp: true }),
    timeouts: { headersMs: 20_000, totalMs: 60_000 },
  });
  teardown.add('outgoing connections to the web', () => web.close());
  const identityProviders = createHttp({
    userAgent: USER_AGENT,
    guard: createAddressGuard({ allowHosts: config.allowedHosts }),
    timeouts: BROWSER_TIMEOUTS,
    connections: 8,
  });
  teardown.add('outgoing connections to identity providers', () => identityProviders.close());
  const gitHub = createHttp({ userAgent: USER_AGENT, guard, timeouts: BROWSER_TIMEOUTS });
  teardown.add('outgoing connections for signing in with GitHub', () => gitHub.close());
  return { web, identityProviders, gitHub };
}
