/** Longer addresses are nobody's. In characters. */
const MAX_ADDRESS = 2_000;

/** An address of the web as it is asked, and its fragment apart, without `#`. */
export interface OutsideAddress {
  readonly url: string;
  /** Empty for none. */
  readonly fragment: string;
}

/** Reads what a page links to; null for what is no address of the web. */
export function readAddress(written: string | undefined): OutsideAddress | null {
  const url = written === undefined ? null : URL.parse(written);
  if (!url || !/^https?:$/.test(url.protocol) || url.href.length > MAX_ADDRESS) return null;
  const fragment = url.hash.slice(1);
  url.hash = '';
  // Whoever writes a password into a page means it for readers, not for us.
  url.username = '';
  url.password = '';
  return { url: url.href, fragment };
}
