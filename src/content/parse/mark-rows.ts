import { MAX_MARKS_IN_ADDRESS } from '../model/index.ts';

/** Punctuation that may end a sentence and is not part of the address before it. GFM 0.29, extended autolink path validation. */
export const END_MARK = /[?!.,:*_~'"]/g;

const END_MARKS = new Set([...`?!.,:*_~'"`].map((mark) => mark.charCodeAt(0)));

/** A part of the source; `end` is exclusive. */
export interface MarkRow {
  readonly start: number;
  readonly end: number;
}

/** The rows of such marks that are too long, in the addresses of one line. */
export function findMarkRows(source: string, start: number, end: number): readonly MarkRow[] {
  const rows: MarkRow[] = [];
  if (end - start <= MAX_MARKS_IN_ADDRESS) return rows;
  let inAddress = false;
  let row = start;
  for (let at = start; at <= end; at += 1) {
    const code = at === end ? 32 : source.charCodeAt(at);
    if (END_MARKS.has(code)) {
      if (!inAddress) inAddress = beginsAddress(source, at);
      continue;
    }
    if (inAddress && at - row > MAX_MARKS_IN_ADDRESS) rows.push({ start: row, end: at });
    row = at + 1;
    if (code === 32 || code === 9 || code === 13 || code === 60) inAddress = false;
  }
  return rows;
}

/** Whether the mark is the colon of `://`, or the dot after `www`. */
function beginsAddress(source: string, at: number): boolean {
  if (source.startsWith('://', at)) return true;
  return source[at] === '.' && source.slice(Math.max(0, at - 3), at).toLowerCase() === 'www';
}
