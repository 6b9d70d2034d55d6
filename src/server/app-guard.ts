import {
  type AddressGuard,
  type AddressGuardOptions,
  AddressRefusedError,
  createAddressGuard,
} from '../net/index.ts';

export interface AppGuard {
  readonly guard: AddressGuard;
  /** Allows the App's enterprise server, which the operator has chosen by setting the App up; null for none. */
  allowHost(host: string | null): void;
  /**
   * Sets a callback that is awaited before an address is refused, because another process may have set an App up in the
   * meantime. It must not wait for jobs, since jobs wait for it.
   */
  beforeRefusal(update: () => Promise<void>): void;
}

/** Creates a guard whose allowed host, that of the App, can change while the server runs. */
export function openAppGuard(options: AddressGuardOptions): AppGuard {
  let allowed: string | null = null;
  let current = createAddressGuard(options);
  let update = async (): Promise<void> => undefined;
  return {
    async guard(url) {
      const first = current;
      try {
        return await first(url);
      } catch (error) {
        if (!(error instanceof AddressRefusedError)) throw error;
        await update();
        if (current === first) throw error;
        return await current(url);
      }
    },
    allowHost(host) {
      if (host === allowed) return;
      allowed = host;
      const allowHosts = [...(options.allowHosts ?? []), ...(host === null ? [] : [host])];
      current = createAddressGuard({ ...options, allowHosts });
    },
    beforeRefusal(callback) {
      update = callback;
    },
  };
}
