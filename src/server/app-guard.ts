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
  /** What is asked before an address is refused: another process may have named a host. True when one was. */
  onRefusal(learn: () => Promise<boolean>): void;
}

/** A guard that learns which host the App lives on while the server runs. */
export function openAppGuard(options: AddressGuardOptions): AppGuard {
  const hosts = new Set(options.allowHosts);
  let judge = createAddressGuard({ ...options, allowHosts: [...hosts] });
  let learn: () => Promise<boolean> = async () => false;
  return {
    async guard(url) {
      try {
        return await judge(url);
      } catch (error) {
        if (!(error instanceof AddressRefusedError) || !(await learn())) throw error;
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
