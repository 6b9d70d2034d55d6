import { matchLines } from '../../content/diff/index.ts';

const BOM = '\uFEFF';

/** A text as an editor of a browser has it: without byte order mark, and each line ends with a line feed. */
export function toEditable(text: string): string {
  return withoutBom(text).replace(/\r\n?/g, '\n');
}

/**
 * The text of a file after its editing: lines that were not touched keep their bytes, and changed ones their line ends,
 * which no editor of a browser returns. A text that was not changed is the original, byte for byte.
 *
 * @param original the text of the file, exactly
 * @param edited what the editor made of `toEditable(original)`, with any line ends
 */
export function restoreText(original: string, edited: string): string {
  const old = splitLines(withoutBom(original));
  const oldTexts = old.map(({ text }) => text);
  const texts = toEditable(edited).split('\n');
  const usual = usualEnd(old);
  // Lines that all end alike need not be told apart, which takes long for large files.
  const isUniform = old.every(({ end }, index) => end === usual || index === old.length - 1);
  const ends = texts.map((_text, index) => (index === texts.length - 1 ? '' : usual));
  const keepEnd = (from: number, to: number) => {
    const end = old[from]?.end ?? '';
    if (end !== '' && ends[to] !== '') ends[to] = end;
  };
  let [nextOld, next] = [0, 0];
  for (const [from, to] of isUniform ? [] : matchLines(oldTexts, texts)) {
    keepReplaced(from, to);
    keepEnd(from, to);
    [nextOld, next] = [from + 1, to + 1];
  }
  if (!isUniform) keepReplaced(old.length, texts.length);

  /** Lines between two that are the same replace each other in their order. */
  function keepReplaced(untilOld: number, until: number): void {
    for (let at = 0; nextOld + at < untilOld && next + at < until; at++) keepEnd(nextOld + at, next + at);
  }

  // A carriage return and a line feed with nothing between them would be one line end.
  for (let at = 1; at < ends.length; at++)
    if (ends[at - 1] === '\r' && texts[at] === '' && ends[at] === '\n') ends[at] = '\r';

  const bom = original.startsWith(BOM) ? BOM : '';
  return bom + texts.map((text, index) => text + (ends[index] ?? '')).join('');
}

interface Line {
  readonly text: string;
  /** `\r\n`, `\n` or `\r`; empty for the last line. */
  readonly end: string;
}

function splitLines(text: string): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const match of text.matchAll(/\r\n?|\n/g)) {
    lines.push({ text: text.slice(start, match.index), end: match[0] });
    start = match.index + match[0].length;
  }
  lines.push({ text: text.slice(start), end: '' });
  return lines;
}

/** The most frequent line end; a line feed for a text of one line. */
function usualEnd(lines: readonly Line[]): string {
  const counts = new Map<string, number>();
  for (const { end } of lines) if (end !== '') counts.set(end, (counts.get(end) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '\n';
}

function withoutBom(text: string): string {
  return text.startsWith(BOM) ? text.slice(1) : text;
}
