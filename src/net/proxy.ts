import { EnvHttpProxyAgent, setGlobalDispatcher } from 'undici';

type Environment = Readonly<Record<string, string | undefined>>;

/** Through which proxies other machines are reached. The addresses may have the name and password of a login. */
export interface ProxySettings {
  readonly https: string | null;
  readonly http: string | null;
  /** Hosts that are reached directly: each with all hosts below it, with or without a port, or `*`; in lower case. */
  readonly exceptions: readonly string[];
}

/** This machine is reached directly, whatever the settings say: a process calls its own platform. */
const OWN = ['localhost', '127.0.0.1', '::1'];

let current: ProxySettings | null = null;

/** The proxies of HTTPS_PROXY, HTTP_PROXY and NO_PROXY, also in lower case, as other programs read them. */
export function readProxies(env: Environment): ProxySettings {
  return {
    https: withScheme(read(env, 'HTTPS_PROXY')),
    http: withScheme(read(env, 'HTTP_PROXY')),
    exceptions: splitExceptions(read(env, 'NO_PROXY') ?? ''),
  };
}

/** The address of a proxy, which people also write as `proxy.example.com:3128`. */
export function withScheme(proxy: string | null): string | null {
  return proxy === null || /^[a-z][a-z\d+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
}

/** @param list separated by commas or spaces */
export function splitExceptions(list: string): readonly string[] {
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((part) => part !== '');
}

/**
 * The address of the proxy through which an address is reached, by the settings of `useProxies`, or of the environment
 * before it is called; null when it is reached directly.
 */
export function proxyFor(
  url: URL,
  settings: ProxySettings = current ?? readProxies(process.env),
): string | null {
  const proxy = url.protocol === 'https:' ? settings.https : url.protocol === 'http:' ? settings.http : null;
  return proxy === null || isDirect(url, settings) ? null : proxy;
}

/** Makes these the proxies of this process, also for the calls of `fetch`, which the client of GitHub uses. */
export function useProxies(settings: ProxySettings): void {
  current = settings;
  const { http, https, exceptions } = settings;
  if (http === null && https === null) return;
  setGlobalDispatcher(
    new EnvHttpProxyAgent({
      httpProxy: http ?? '',
      httpsProxy: https ?? '',
      noProxy: [...exceptions, ...OWN].join(','),
    }),
  );
}

function isDirect(url: URL, { exceptions }: ProxySettings): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  if (OWN.includes(host)) return true;
  return exceptions.some((exception) => {
    if (exception === '*') return true;
    const [, name = '', ofPort] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(exception) ?? [];
    if (ofPort !== undefined && ofPort !== port) return false;
    return host === name || host.endsWith(`.${name}`);
  });
}

function read(env: Environment, name: string): string | null {
  const value = (env[name.toLowerCase()] || env[name])?.trim();
  return value === undefined || value === '' ? null : value;
}
