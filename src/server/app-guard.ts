import {
  type AddressGuard,
  type AddressGuardOptions,
  AddressRefusedError,
  createAddressGuard,
} from '../net/address-guard.ts';

export interface AppGuard {
  readonly guard: AddressGuard;
  /** The App's enterprise server is the operator's own choice, so it needs no second mention. */
  allow(host: string): void;
  /** What is waited for before an address is refused: another process may have named a host meanwhile. */
  onRefusal(learn: () => Promise<void>): void;
}

/** A guard that learns which host the App lives on while the server runs. */
export function openAppGuard(options: AddressGuardOptions): AppGuard {
  const hosts = new Set(options.allowHosts);
  let judge = createAddressGuard({ ...options, allowHosts: [...hosts] });
  let learn = async (): Promise<void> => undefined;
  return {
    async guard(url) {
      const asked = judge;
      try {
        return await asked(url);
      } catch (error) {
        if (!(error instanceof AddressRefusedError)) throw error;
        await learn();
        if (judge === asked) throw error;
        return await judge(url);
      }
    },
    allow(host) {
      hosts.add(host);
      judge = createAddressGuard({ ...options, allowHosts: [...hosts] });
    },
    onRefusal(asked) {
      learn = asked;
    },
  };
}
