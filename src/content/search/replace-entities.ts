const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** A text with the characters that its usual HTML entities stand for; for words only, so that what stands for none is a space. */
export function replaceEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,5}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    const isCharacter = code > 31 && code < 0x11_00_00 && !(code >= 0xd8_00 && code < 0xe0_00);
    return isCharacter ? String.fromCodePoint(code) : ' ';
  });
}
