import type { AnchorBlock } from '../../content/anchors/index.ts';

/** Lines of a file, from 1, both included. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** Long enough to be unique in most files, and short enough to stand before the first link of a block. */
const KEY_LENGTHS = [200, 60, 24, 12];
/** A shorter text must be all that its lines say. */
const SHORT = 8;

/**
 * Where a source file may say what the beginning of a block says, the best first. Letters and digits are compared, so that
 * markup does not matter, and no parser has to read what strangers wrote.
 */
export function findQuote(source: string, quote: string): readonly LineRange[] {
  const whole = lettersOf(quote.replace(/…$/, ''));
  if (whole === '') return [];
  const lines = source.split('\n').map(lettersOf);
  const text = lines.join('');
  let total = 0;
  const starts = lines.map((line) => {
    total += line.length;
    return total - line.length;
  });
  const lineAt = (offset: number) => starts.findLastIndex((start, at) => start <= offset && lines[at] !== '');
  const lengths = [whole.length, ...KEY_LENGTHS.filter((length) => length < whole.length)];
  for (const length of lengths) {
    const key = whole.slice(0, length);
    const found: LineRange[] = [];
    for (let at = text.indexOf(key); at !== -1 && found.length < 50; at = text.indexOf(key, at + 1)) {
      const [first, last] = [lineAt(at), lineAt(at + key.length - 1)];
      const beginsLine = starts[first] === at;
      const endsLine = at + key.length === (starts[last] ?? 0) + (lines[last]?.length ?? 0);
      if (beginsLine && (key.length >= SHORT || endsLine)) found.push({ start: first + 1, end: last + 1 });
    }
    if (found.length > 0) return found;
  }
  return [];
}

/** The key of the block of a page that says what a line of its source file says; null where none is found. */
export function findBlock(source: string, line: number, blocks: readonly AnchorBlock[]): string | null {
  const lines = source.split('\n');
  const texts = blocks.map(({ key, text }) => ({ key, text: lettersOf(text) }));
  // A line in the middle of a long paragraph is found by the lines before it.
  for (let at = line; at > 0 && at > line - 50; at--) {
    const own = lettersOf(lines[at - 1] ?? '');
    if (own === '') {
      if (at < line) return null;
      continue;
    }
    const holding = texts
      .filter(({ text }) => (own.length < SHORT ? text === own : text.includes(own)))
      .sort((a, b) => a.text.length - b.text.length);
    const [best] = holding;
    if (best === undefined) continue;
    const alike = holding.filter(({ text }) => text === best.text);
    // Of several with the same text, the one that stands as far down as the line does among those like it.
    const before = lines.slice(0, at - 1).filter((other) => lettersOf(other) === own).length;
    return alike[Math.min(before, alike.length - 1)]?.key ?? null;
  }
  return null;
}

/** Destinations of links and tags are no text. */
function lettersOf(line: string): string {
  return line
    .replace(/\]\([^()\n]{0,2000}\)/g, ']')
    .replace(/<[^<>\n]{0,2000}>/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
