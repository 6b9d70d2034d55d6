import { isIP } from 'node:net';
import type { SettingsReader } from './settings-reader.ts';

/** An origin whose host begins with `*.`, and to which PUBLIC_URL does not belong: what users write is kept from there. */
export function readSitesUrl(reader: SettingsReader): string | null {
  const value = reader.httpUrl('SITES_URL');
  if (value === null) return null;
  const url = new URL(value);
  const publicHost = URL.parse(reader.text('PUBLIC_URL') ?? '')?.hostname ?? '';
  if (!/^\*(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/.test(url.hostname) || url.origin !== value) {
    reader.problem(
      'SITES_URL',
      'must be a wildcard host without a path, for example https://*.docs.example.com',
    );
  } else if (publicHost.endsWith(url.hostname.slice(1))) {
    reader.problem('SITES_URL', 'must not cover the host of PUBLIC_URL: choose another domain for sites');
  } else {
    return value;
  }
  return null;
}

export function readTrustedProxies(reader: SettingsReader): readonly string[] {
  const proxies = reader.list('TRUSTED_PROXIES');
  for (const proxy of proxies) {
    const [address = '', bits, ...more] = proxy.split('/');
    const longest = isIP(address) === 6 ? 128 : 32;
    const isNetwork =
      bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= longest);
    if (isIP(address) === 0 || !isNetwork || more.length > 0) {
      reader.problem(
        'TRUSTED_PROXIES',
        `has "${proxy}", but must have addresses or networks such as 10.0.0.0/8`,
      );
      return [];
    }
  }
  return proxies;
}
