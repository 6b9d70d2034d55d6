import {
  type AddressGuard,
  type AddressGuardOptions,
  AddressRefusedError,
  createAddressGuard,
} from '../net/index.ts';

export interface AppGuard {
  readonly guard: AddressGuard;
  /** The App's enterprise server is the operator's own choice, so it needs no second mention; null for none. */
  nameHost(host: string | null): void;
  /**
   * What is waited for before an address is refused: another process may have set an App up meanwhile. It must wait for no
   * work, since work waits for it.
   */
  onRefusal(learn: () => Promise<void>): void;
}

/** A guard that learns which host the App lives on while the server runs. */
export function openAppGuard(options: AddressGuardOptions): AppGuard {
  let named: string | null = null;
  let current = createAddressGuard(options);
  let learn = async (): Promise<void> => undefined;
  return {
    async guard(url) {
      const asked = current;
      try {
        return await asked(url);
      } catch (error) {
        if (!(error instanceof AddressRefusedError)) throw error;
        await learn();
        if (current === asked) throw error;
        return await current(url);
      }
    },
    nameHost(host) {
      if (host === named) return;
      named = host;
      const allowHosts = [...(options.allowHosts ?? []), ...(host === null ? [] : [host])];
      current = createAddressGuard({ ...options, allowHosts });
    },
    onRefusal(asked) {
      learn = asked;
    },
  };
}
