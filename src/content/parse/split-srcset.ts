/**
 * Returns the addresses of a `srcset`, without their widths and densities (`2x`, `480w`). Hand-written documentation puts
 * paths with spaces there, so a space ends an address only before a descriptor, and a comma only before a space or
 * after a descriptor. Linear in the text.
 */
export function splitSrcset(srcset: string): readonly string[] {
  const addresses: string[] = [];
  let words: string[] = [];
  const close = () => {
    if (words.length > 0) addresses.push(words.join(' '));
    words = [];
  };
  // Other spaces, such as U+202F in the names of screenshots, are part of an address.
  for (const word of srcset.split(/[ \t\n\f\r]/)) {
    if (word === '') continue;
    const comma = word.indexOf(',');
    const first = comma === -1 ? word : word.slice(0, comma);
    if (words.length > 0 && isDescriptor(first)) {
      close();
      // `a.png 1x,b.png 2x`: what follows the comma is the next address.
      const next = comma === -1 ? '' : word.slice(comma + 1);
      if (next !== '') words.push(next);
    } else if (word.endsWith(',')) {
      if (word.length > 1) words.push(word.slice(0, -1));
      close();
    } else {
      words.push(word);
    }
  }
  close();
  return addresses;
}

function isDescriptor(word: string): boolean {
  return word.length < 20 && /^[\d.]+[xwh]$/.test(word);
}
