/** Longer addresses are not checked. In characters. */
const MAX_ADDRESS = 2_000;

/** A web address as it is requested, and separately its fragment, without `#`. */
export interface OutsideAddress {
  readonly url: string;
  /** Empty for none. */
  readonly fragment: string;
}

/** Parses a link's destination; null when it is not a web address. */
export function readAddress(written: string | undefined): OutsideAddress | null {
  const url = written === undefined ? null : URL.parse(written);
  if (!url || !/^https?:$/.test(url.protocol) || url.href.length > MAX_ADDRESS) return null;
  const fragment = url.hash.slice(1);
  url.hash = '';
  // Credentials in a page are for its readers and are not sent.
  url.username = '';
  url.password = '';
  return { url: url.href, fragment };
}
