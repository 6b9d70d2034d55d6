import ipaddr from 'ipaddr.js';

/** Where an address leads: the public Internet, a private network, or a range that no caller may reach. */
export type AddressRange = 'public' | 'private' | 'forbidden';

/** Ranges in which people run their own servers (RFC 1918, 6598, 4193 and the machine itself). */
const privateRanges: ReadonlySet<string> = new Set(['private', 'loopback', 'carrierGradeNat', 'uniqueLocal']);

/** Looks public, but answers each machine of Azure with what it is set up with, as a metadata service does. */
const WIRE_SERVER = '168.63.129.16';

/**
 * Classifies an IP address. `forbidden` are link-local (cloud metadata services use it), multicast, broadcast,
 * unspecified, documentation, benchmarking and reserved addresses, and that of Azure's WireServer. Forms of IPv6 that
 * contain an IPv4 address (mapped, 6to4, the NAT64 prefix of RFC 6052) are classified as that address.
 *
 * @throws when the text is not an IP address
 */
export function classifyAddress(text: string): AddressRange {
  const address = ipaddr.parse(text);
  if (address.kind() === 'ipv4') return classifyIpv4(address as ipaddr.IPv4);
  return classifyIpv6(address as ipaddr.IPv6);
}

function classifyIpv4(address: ipaddr.IPv4): AddressRange {
  return address.toString() === WIRE_SERVER ? 'forbidden' : classifyRange(address.range());
}

function classifyIpv6(address: ipaddr.IPv6): AddressRange {
  const carried = carriedIpv4(address);
  if (carried) return classifyIpv4(carried);
  const range = address.range();
  // Only 2000::/3 is allocated to the public Internet; the library calls the rest of the space unicast too.
  if (range === 'unicast' && !address.match(ipaddr.IPv6.parse('2000::'), 3)) return 'forbidden';
  return classifyRange(range);
}

function classifyRange(range: string): AddressRange {
  if (range === 'unicast') return 'public';
  return privateRanges.has(range) ? 'private' : 'forbidden';
}

/** The IPv4 address inside an IPv6 address, with the index of the 16-bit group where it starts. */
function carriedIpv4(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  const start = carriedStart(address);
  if (start === null) return null;
  const [high = 0, low = 0] = address.parts.slice(start, start + 2);
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
}

function carriedStart(address: ipaddr.IPv6): number | null {
  if (address.isIPv4MappedAddress()) return 6;
  if (address.match(ipaddr.IPv6.parse('64:ff9b::'), 96)) return 6;
  if (address.match(ipaddr.IPv6.parse('2002::'), 16)) return 1;
  return null;
}
