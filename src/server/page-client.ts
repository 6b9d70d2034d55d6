import { type ClientOptions, createClient, type PlatformClient } from '../client/index.ts';
import { PAGE_ORIGIN_HEADER, type PageOrigins } from '../platform/index.ts';
import { currentRequest } from './current-request.ts';

/** The client with which pages call this process's own platform: it names the browser for which they do. */
export function createPageClient(
  options: Pick<ClientOptions, 'baseUrl' | 'token' | 'http'>,
  origins: PageOrigins,
): PlatformClient {
  return createClient({
    ...options,
    requestId: () => currentRequest()?.requestId,
    headers: (): Record<string, string> => {
      const current = currentRequest();
      return current === undefined ? {} : { [PAGE_ORIGIN_HEADER]: origins.write(current, options.token) };
    },
  });
}
