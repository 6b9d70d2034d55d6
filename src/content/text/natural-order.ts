/** Printable ASCII in the order of the Unicode Collation Algorithm for English; letters in lower case. */
const ORDER = ' _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz';

/** The position from 1 of each character code in `ORDER`; 0 for codes that are not in it. */
const RANKS = Uint8Array.from({ length: 128 }, (_, code) => {
  return ORDER.indexOf(String.fromCharCode(code).toLowerCase()) + 1;
});

/** Longer names are left to ICU, which cuts runs of digits beyond this length. */
const MAX_LENGTH = 200;

let collator: Intl.Collator | null = null;

/**
 * Compares names in natural order (`2` before `10`, case ignored) with the result of `Intl.Collator('en', { numeric:
 * true, sensitivity: 'base' })`. Names of printable ASCII, which nearly all are, do not use the collator: loading it
 * costs a short run more time than the rest of the navigation.
 */
export function compareNaturally(a: string, b: string): number {
  if (isPlain(a) && isPlain(b)) return comparePlain(a, b);
  collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  return collator.compare(a, b);
}

function isPlain(name: string): boolean {
  if (name.length > MAX_LENGTH) return false;
  for (let at = 0; at < name.length; at += 1) if (rankAt(name, at) === 0) return false;
  return true;
}

function comparePlain(a: string, b: string): number {
  let atA = 0;
  let atB = 0;
  while (atA < a.length && atB < b.length) {
    if (isDigit(a, atA) && isDigit(b, atB)) {
      const endA = endOfDigits(a, atA);
      const endB = endOfDigits(b, atB);
      const numberA = a.slice(atA, endA).replace(/^0+/, '');
      const numberB = b.slice(atB, endB).replace(/^0+/, '');
      if (numberA !== numberB) {
        if (numberA.length !== numberB.length) return numberA.length < numberB.length ? -1 : 1;
        return numberA < numberB ? -1 : 1;
      }
      atA = endA;
      atB = endB;
    } else {
      const difference = rankAt(a, atA) - rankAt(b, atB);
      if (difference !== 0) return Math.sign(difference);
      atA += 1;
      atB += 1;
    }
  }
  return Math.sign(a.length - atA - (b.length - atB));
}

function endOfDigits(text: string, from: number): number {
  let end = from;
  while (end < text.length && isDigit(text, end)) end += 1;
  return end;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

function rankAt(text: string, at: number): number {
  return RANKS[text.charCodeAt(at)] ?? 0;
}
