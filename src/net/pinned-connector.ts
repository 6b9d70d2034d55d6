import { buildConnector } from 'undici';
import type { AddressGuard } from './address-guard.ts';

/**
 * Connects sockets to the very address that the guard allowed, while TLS and the `Host` header use the name.
 * Every new connection calls the guard again, so a pooled connection does not outlive a changed address for long.
 */
export function pinnedConnector(guard: AddressGuard, connectTimeoutMs: number): buildConnector.connector {
  const connect = buildConnector({ timeout: connectTimeoutMs, allowH2: false });
  return (options, callback) => {
    const url = new URL(`${options.protocol}//${options.host ?? options.hostname}`);
    guard(url).then(
      ({ address }) => {
        // For an IP address there is no name to pass on; undici distinguishes the two by the server name.
        const named = address !== options.hostname;
        connect(
          {
            ...options,
            hostname: address,
            ...(named ? { servername: options.servername || url.hostname } : {}),
          },
          callback,
        );
      },
      (error: Error) => callback(error, null),
    );
  };
}
