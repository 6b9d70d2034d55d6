import { buildConnector } from 'undici';
import type { AddressGuard } from './address-guard.ts';

/**
 * Opens sockets to the very address that the guard allowed, while TLS and the `Host` header keep the name.
 * Every new connection asks the guard again, so a pool cannot outlive a change of mind for long.
 */
export function pinnedConnector(guard: AddressGuard, connectTimeoutMs: number): buildConnector.connector {
  const connect = buildConnector({ timeout: connectTimeoutMs, allowH2: false });
  return (options, callback) => {
    const url = new URL(`${options.protocol}//${options.host ?? options.hostname}`);
    guard(url).then(
      ({ address }) => {
        // For an IP address there is no name to keep; undici tells the two apart by the server name.
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
