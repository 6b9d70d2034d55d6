import type { PageWithTargets } from '../../platform/index.ts';
import { policySource } from '../policy-source.ts';

type Operation = PageWithTargets['operations'][number]['operation'];
type Server = NonNullable<Operation['serverChoices']>[number];

/** More than a header should name. */
const MAX_ORIGINS = 20;

/** On the machine of the reader, who may be trying what they build. */
const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * The origins to which the operations of a page may be sent: those of their servers, over https, and http only on the
 * reader's own machine. Never one of this server, where the page could do what its reader may.
 */
export function requestOrigins(
  operations: readonly Operation[],
  isOwn: (url: URL) => boolean,
): readonly string[] {
  const origins = new Set<string>();
  for (const operation of operations) {
    if (operation.isWebhook === true) continue;
    for (const server of serversOf(operation)) {
      for (const address of addressesOf(server)) {
        const origin = originOf(address, isOwn);
        if (origin !== null) origins.add(origin);
        if (origins.size === MAX_ORIGINS) return [...origins];
      }
    }
  }
  return [...origins];
}

function serversOf({ servers, serverChoices }: Operation): readonly Server[] {
  return serverChoices ?? servers.map((url) => ({ url, description: '', variables: [] }));
}

function originOf(address: string, isOwn: (url: URL) => boolean): string | null {
  const url = URL.parse(address);
  if (url === null || url.username !== '' || url.password !== '' || isOwn(url)) return null;
  const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && LOCAL.test(url.hostname));
  return isAllowed ? policySource(url) : null;
}

/** Each address that the values of its variables make, as far as they are known; those of its path make no other origin. */
function addressesOf({ url, variables }: Server): readonly string[] {
  const [origin = ''] = /^[^/]*\/\/[^/?#]*/.exec(url) ?? [];
  let addresses = [origin];
  for (const { name, initial, values } of variables) {
    const written = `{${name}}`;
    if (!origin.includes(written)) continue;
    const known = values.length > 0 ? values : [initial];
    addresses = addresses
      .flatMap((address) => known.map((value) => address.replaceAll(written, () => value)))
      .slice(0, MAX_ORIGINS);
  }
  return addresses;
}
