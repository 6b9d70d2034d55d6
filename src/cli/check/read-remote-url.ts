import type { RepositoryAddress } from '../../content/index.ts';

/** Where a repository is on its host. */
export type HostedRepository = Pick<RepositoryAddress, 'fullName' | 'htmlHost'>;

/**
 * Reads the address of a remote: `https://host/owner/name.git`, `ssh://git@host/owner/name`, `git@host:owner/name.git`.
 * Null for all that is not `owner/name` on a host, such as a path. User names and passwords in it are dropped.
 */
export function readRemoteUrl(address: string): HostedRepository | null {
  if (address.length > MAX_LENGTH) return null;
  const url = /^(?:https?|ssh|git|git\+ssh):\/\//i.test(address) ? URL.parse(address) : readScpLike(address);
  if (url === null || url.hostname === '') return null;
  const names = url.pathname.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '');
  if (!/^[\w.-]+\/[\w.-]+$/.test(names)) return null;
  // The port is that of the pages only where git speaks to the same server.
  const host = /^https?:$/.test(url.protocol) ? url.host : url.hostname;
  const lower = host.toLowerCase();
  return { fullName: names, htmlHost: PAGES_OF[lower] ?? lower };
}

/** Of an address, in UTF-16 code units: longer ones are none. */
const MAX_LENGTH = 2_000;

/** Hosts that serve git alone, for the pages of another. */
const PAGES_OF: Readonly<Record<string, string>> = {
  'ssh.github.com': 'github.com',
  'www.github.com': 'github.com',
};

/** `user@host:path`, as git-fetch(1) tells it from a path: no slash stands before the colon. */
function readScpLike(address: string): URL | null {
  const [, host, path] = /^(?:[^@/:]*@)?([^@/:]+):(?!\/\/)(.+)$/.exec(address) ?? [];
  return host === undefined || path === undefined ? null : URL.parse(`ssh://${host}/${path}`);
}
