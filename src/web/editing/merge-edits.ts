import { matchLines } from './match-lines.ts';

export interface MergedEdits {
  readonly text: string;
  /** False where both changed the same lines: the text has both versions of these, between markers as those of git. */
  readonly isClean: boolean;
}

/** Merges what a writer (`own`) and somebody else changed in the same text, line by line. */
export function mergeEdits(base: string, own: string, other: string): MergedEdits {
  const [old, a, b] = [splitLines(base), splitLines(own), splitLines(other)];
  const inOwn = new Map(matchLines(old, a));
  const inOther = new Map(matchLines(old, b));
  const parts: string[] = [];
  let isClean = true;
  let [fromOld, fromA, fromB] = [0, 0, 0];
  for (let at = 0; at <= old.length; at++) {
    const toA = at === old.length ? a.length : inOwn.get(at);
    const toB = at === old.length ? b.length : inOther.get(at);
    if (toA === undefined || toB === undefined) continue;
    const before = old.slice(fromOld, at).join('');
    const mine = a.slice(fromA, toA).join('');
    const theirs = b.slice(fromB, toB).join('');
    if (mine === theirs || theirs === before) parts.push(mine);
    else if (mine === before) parts.push(theirs);
    else {
      isClean = false;
      parts.push(markConflict(mine, theirs));
    }
    parts.push(old[at] ?? '');
    [fromOld, fromA, fromB] = [at + 1, toA + 1, toB + 1];
  }
  return { text: parts.join(''), isClean };
}

const OPENING = '<<<<<<< yours';
const BETWEEN = '=======';
const CLOSING = '>>>>>>> saved meanwhile';

function markConflict(own: string, other: string): string {
  const whole = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`);
  return `${OPENING}\n${whole(own)}${BETWEEN}\n${whole(other)}${CLOSING}\n`;
}

/** The line, from 1, of a conflict that nobody has decided about; null where there is none. */
export function findConflict(text: string): number | null {
  const lines = text.split(/\r?\n/);
  const at = lines.indexOf(OPENING);
  const isWhole = at !== -1 && lines.indexOf(CLOSING, lines.indexOf(BETWEEN, at)) > at;
  return isWhole ? at + 1 : null;
}

function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
