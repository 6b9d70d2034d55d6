import { lookup as dnsLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type AddressRange, classifyAddress } from './address-range.ts';
import { proxyFor } from './proxy.ts';

/** The address to connect to: resolved and checked, and used as it is, so that a second DNS lookup cannot differ. */
export interface AllowedAddress {
  readonly address: string;
  readonly family: 4 | 6;
  /** The proxy through which it is reached, which looks the name up itself; absent for a direct connection. */
  readonly proxy?: string;
}

/** Refuses addresses that a caller may not reach; throws `AddressRefusedError`. */
export type AddressGuard = (url: URL) => Promise<AllowedAddress>;

export interface AddressGuardOptions {
  /** `host` or `host:port` that may be reached at any address, over http too. For servers that the operator configured. */
  readonly allowHosts?: readonly string[];
  /** `host` or `host:port` that may be reached over http, if its address is public. */
  readonly allowHttpHosts?: readonly string[];
  /** Allows http to public addresses, for calls that neither send nor fetch anything sensitive. */
  readonly allowHttp?: boolean;
  /** Allows private networks and this machine, also over http. Link-local and similar addresses stay refused. */
  readonly allowPrivate?: boolean;
  /** Returns all addresses of a host name; the system's resolver when absent. */
  readonly lookup?: (host: string) => Promise<readonly AllowedAddress[]>;
}

export type AddressRefusal = 'scheme' | 'unresolved' | 'range';

/** The address may not be reached. The message is one sentence for people and names no resolved address. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
  /** `unresolved` may be temporary; the other reasons need a person. */
  readonly reason: AddressRefusal;

  constructor(reason: AddressRefusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/**
 * Guards outgoing calls to addresses that users choose. The host is resolved once, every result must be
 * allowed, and the caller connects to the returned address (so a name cannot change between the two).
 * The WHATWG URL parser has already normalized odd spellings of IPv4 (`0x7f.1`, `2130706433`).
 */
export function createAddressGuard(options: AddressGuardOptions = {}): AddressGuard {
  const allowHosts = hostSet(options.allowHosts);
  const allowHttpHosts = hostSet(options.allowHttpHosts);
  const lookup = options.lookup ?? systemLookup;

  return async (url) => {
    if (url.protocol !== 'https:' && url.protocol !== 'http:') {
      throw new AddressRefusedError(
        'scheme',
        `The address of ${url.host || 'this remote'} starts with ${url.protocol}//; only https:// is allowed.`,
      );
    }
    const trusted = names(allowHosts, url);
    const isHttpAllowed = options.allowHttp === true || names(allowHttpHosts, url);
    const mayUseHttp = trusted || isHttpAllowed || options.allowPrivate === true;
    if (url.protocol === 'http:' && !mayUseHttp) throw httpRefused(url);

    const proxy = proxyFor(url);
    const addresses = await resolve(url, lookup).catch((error: unknown) => {
      // Behind a proxy, names of the outside are often unknown; what it refuses is its decision.
      const isForProxy =
        proxy !== null && error instanceof AddressRefusedError && error.reason === 'unresolved';
      if (!isForProxy) throw error;
      return [];
    });
    if (proxy !== null && addresses.length === 0) return { address: url.hostname, family: 4, proxy };
    if (!trusted) {
      for (const { address } of addresses)
        checkRange(url, classifyAddress(address), options.allowPrivate === true);
      const isPublic = addresses.some(({ address }) => classifyAddress(address) === 'public');
      if (url.protocol === 'http:' && isPublic && !isHttpAllowed) throw httpRefused(url);
    }
    return proxy === null ? choose(addresses) : { ...choose(addresses), proxy };
  };
}

function hostSet(hosts: readonly string[] = []): ReadonlySet<string> {
  return new Set(hosts.map((host) => host.trim().toLowerCase()));
}

function names(hosts: ReadonlySet<string>, url: URL): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return hosts.has(url.hostname) || hosts.has(`${url.hostname}:${port}`);
}

function httpRefused(url: URL): AddressRefusedError {
  return new AddressRefusedError(
    'scheme',
    `The address of ${url.host} uses http://, which anyone in between can read or change; use https://, or have the operator allow this host.`,
  );
}

async function resolve(
  url: URL,
  lookup: (host: string) => Promise<readonly AllowedAddress[]>,
): Promise<readonly AllowedAddress[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  if (family === 4 || family === 6) return [{ address: host, family }];
  // No host may be called so (RFC 1123, 2.1), and git cannot be told the address of such a name: `http.curloptResolve`
  // takes a sign before it for an order of its own, and git would look the name up again.
  if (/^[-+]/.test(host)) throw unresolved(host);
  let addresses: readonly AllowedAddress[];
  try {
    addresses = await lookup(host);
  } catch (cause) {
    throw unresolved(host, cause);
  }
  if (addresses.length === 0) throw unresolved(host);
  return addresses;
}

function unresolved(host: string, cause?: unknown): AddressRefusedError {
  return new AddressRefusedError(
    'unresolved',
    `The host ${host} was not found; check the spelling of the address, and that its name is known in DNS.`,
    { cause },
  );
}

function checkRange(url: URL, range: AddressRange, allowPrivate: boolean): void {
  if (range === 'public' || (range === 'private' && allowPrivate)) return;
  const where = range === 'private' ? 'a private network' : 'a reserved network';
  throw new AddressRefusedError(
    'range',
    `The host ${url.hostname} is in ${where}, which may not be reached from here; use a public address, or have the operator allow this host.`,
  );
}

async function systemLookup(host: string): Promise<readonly AllowedAddress[]> {
  const answers = await dnsLookup(host, { all: true, order: 'verbatim' });
  return answers.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

/** Only one address is pinned, so its family must be reachable from this machine. */
function choose(addresses: readonly AllowedAddress[]): AllowedAddress {
  const family = hasExternalIpv4() ? 4 : 6;
  const chosen = addresses.find((address) => address.family === family) ?? addresses[0];
  if (!chosen) throw new Error('choose() needs at least one address');
  return chosen;
}

function hasExternalIpv4(): boolean {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const external = all.filter((address) => !address.internal);
  return external.length === 0 || external.some((address) => address.family === 'IPv4');
}
