import type { RepositoryAddress } from '../../content/index.ts';

/** A repository's location on its host. */
export type HostedRepository = Pick<RepositoryAddress, 'fullName' | 'htmlHost'>;

/**
 * Parses the address of a remote: `https://host/owner/name.git`, `ssh://git@host/owner/name`, `git@host:owner/name.git`.
 * Null for anything that is not `owner/name` on a host, such as a path. User names and passwords in it are dropped.
 */
export function readRemoteUrl(address: string): HostedRepository | null {
  if (address.length > MAX_LENGTH) return null;
  const url = /^(?:https?|ssh|git|git\+ssh):\/\//i.test(address) ? URL.parse(address) : readScpLike(address);
  if (url === null || url.hostname === '') return null;
  const names = url.pathname.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '');
  if (!/^[\w.-]+\/[\w.-]+$/.test(names)) return null;
  // The port is also that of the pages only where git uses the same server.
  const host = /^https?:$/.test(url.protocol) ? url.host : url.hostname;
  const lower = host.toLowerCase();
  return { fullName: names, htmlHost: PAGES_OF[lower] ?? lower };
}

/** The largest length of an address, in UTF-16 code units. */
const MAX_LENGTH = 2_000;

/** Hosts that only serve git, mapped to the host of the pages. */
const PAGES_OF: Readonly<Record<string, string>> = {
  'ssh.github.com': 'github.com',
  'www.github.com': 'github.com',
};

/** `user@host:path`, which git-fetch(1) distinguishes from a path: no slash precedes the colon. */
function readScpLike(address: string): URL | null {
  const [, host, path] = /^(?:[^@/:]*@)?([^@/:]+):(?!\/\/)(.+)$/.exec(address) ?? [];
  return host === undefined || path === undefined ? null : URL.parse(`ssh://${host}/${path}`);
}
