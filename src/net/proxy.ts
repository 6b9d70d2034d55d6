import { EnvHttpProxyAgent, setGlobalDispatcher } from 'undici';

type Environment = Readonly<Record<string, string | undefined>>;

/** This machine is reached directly, whatever the settings say: a process calls its own platform. */
const OWN = ['localhost', '127.0.0.1', '::1'];

/**
 * The address of the proxy through which an address is reached, by HTTPS_PROXY, HTTP_PROXY and NO_PROXY, also in lower case,
 * as other programs read them; null when it is reached directly.
 */
export function proxyFor(url: URL, env: Environment = process.env): string | null {
  const proxy =
    url.protocol === 'https:'
      ? read(env, 'HTTPS_PROXY')
      : url.protocol === 'http:'
        ? read(env, 'HTTP_PROXY')
        : null;
  return proxy === null || isDirect(url, env) ? null : proxy;
}

/** Sends the calls of `fetch`, which the client of GitHub uses, through the proxies of the environment. */
export function useProxies(env: Environment = process.env): void {
  const [httpProxy, httpsProxy] = [read(env, 'HTTP_PROXY'), read(env, 'HTTPS_PROXY')];
  if (httpProxy === null && httpsProxy === null) return;
  setGlobalDispatcher(
    new EnvHttpProxyAgent({
      httpProxy: httpProxy ?? '',
      httpsProxy: httpsProxy ?? '',
      noProxy: [...exceptions(env), ...OWN].join(','),
    }),
  );
}

/** Each a host with all hosts below it, with or without a port, or `*`. */
function isDirect(url: URL, env: Environment): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  if (OWN.includes(host)) return true;
  return exceptions(env).some((exception) => {
    if (exception === '*') return true;
    const [, name = '', ofPort] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(exception) ?? [];
    if (ofPort !== undefined && ofPort !== port) return false;
    return host === name || host.endsWith(`.${name}`);
  });
}

function exceptions(env: Environment): readonly string[] {
  return (read(env, 'NO_PROXY') ?? '')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((part) => part !== '');
}

function read(env: Environment, name: string): string | null {
  const value = (env[name.toLowerCase()] || env[name])?.trim();
  return value === undefined || value === '' ? null : value;
}
