import { isIP } from 'node:net';
import { authorization } from '../remote.ts';
import type { GitRemote, RemoteAddress } from '../repository.ts';

/** The name of the remote; each call passes its address anew, so the repository's files contain none. */
export const remoteName = 'docloom';

/** Variables of the operator's environment that git needs to find programs and certificates. */
const inherited = ['PATH', 'TMPDIR', 'GIT_SSL_CAINFO', 'GIT_SSL_CAPATH', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];

/** For every run: no configuration but ours, no prompts, no translated messages, no hooks, no maintenance. */
function baseEnvironment(): Record<string, string> {
  const inheritedValues = inherited.flatMap((name) =>
    process.env[name] ? [[name, process.env[name]] as const] : [],
  );
  return {
    ...Object.fromEntries(inheritedValues),
    LC_ALL: 'C',
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_ADVICE: '0',
  };
}

/** For work on one repository that never connects to a remote. */
export function localEnvironment(gitDir: string): Record<string, string> {
  return { ...baseEnvironment(), GIT_DIR: gitDir, GIT_ALLOW_PROTOCOL: 'none' };
}

/** For reading objects. The reader is a separate, empty repository without a remote: reading never connects to one. */
export function readEnvironment(readerDir: string, objectsDir: string): Record<string, string> {
  return { ...localEnvironment(readerDir), GIT_OBJECT_DIRECTORY: objectsDir };
}

export interface FetchEnvironment {
  readonly gitDir: string;
  readonly remote: GitRemote;
  /** The repository's address after redirects. */
  readonly base: string;
  readonly address: RemoteAddress;
  /** Settings for this fetch only. */
  readonly config: Readonly<Record<string, string>>;
}

/** For fetching. Address and credentials are passed here, because every user can read the arguments of a process. */
export function fetchEnvironment({
  gitDir,
  remote,
  base,
  address,
  config: more,
}: FetchEnvironment): Record<string, string> {
  const url = new URL(base);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const pinned = address.family === 6 ? `[${address.address}]` : address.address;
  // An IP address is not looked up, so there is nothing to pin.
  const isName = isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0;
  const auth = url.origin === new URL(remote.url).origin ? authorization(remote) : undefined;
  const config: Record<string, string> = {
    'core.hooksPath': '/dev/null',
    'core.fsmonitor': 'false',
    'gc.auto': '0',
    'maintenance.auto': 'false',
    'credential.helper': '',
    'protocol.version': '2',
    'fetch.unpackLimit': '1',
    'fetch.writeCommitGraph': 'false',
    'fetch.recurseSubmodules': 'false',
    'http.followRedirects': 'false',
    'http.proxy': address.proxy ?? '',
    // A host that counts objects sends five bytes every five seconds, so only silence counts as too slow.
    'http.lowSpeedLimit': '1',
    'http.lowSpeedTime': '60',
    'http.userAgent': 'git/docloom',
    [`remote.${remoteName}.url`]: base,
    ...more,
    ...(isName && address.proxy === undefined
      ? { 'http.curloptResolve': `${url.hostname}:${port}:${pinned}` }
      : {}),
    ...(auth ? { [`http.${url.origin}/.extraHeader`]: `Authorization: ${auth}` } : {}),
  };
  return {
    ...baseEnvironment(),
    GIT_DIR: gitDir,
    GIT_ALLOW_PROTOCOL: 'http:https',
    ...configVariables(config),
  };
}

/** git-config(1), GIT_CONFIG_COUNT. */
function configVariables(config: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(config);
  const pairs = entries.flatMap(([key, value], i) => [
    [`GIT_CONFIG_KEY_${i}`, key],
    [`GIT_CONFIG_VALUE_${i}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(entries.length), ...Object.fromEntries(pairs) };
}
