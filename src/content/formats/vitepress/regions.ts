import type { Region } from '../../model/index.ts';

/** A mark that begins or ends a region, in a comment of Markdown or of the usual languages; what it says behind `region`. */
const MARK =
  /^\s{0,200}(?:<!--|\/\/|\/\*|#(?=\s?region|\s?endregion|\s?#))\s{0,20}#?(end)?region\b\s{0,20}([^\r\n]{0,200}?)\s{0,20}(?:-->|\*\/|$)/;

/**
 * Named parts that other pages take in: `<!-- #region name -->` to `<!-- #endregion name -->`, also in the comments of code.
 * An end without a name ends each that is open.
 */
export function* regionsIn(source: string): Iterable<Region> {
  const open = new Map<string, number[]>();
  let line = 0;
  for (const text of source.split('\n')) {
    line += 1;
    const match = markIn(text);
    if (match === null) continue;
    const [, isEnd, name = ''] = match;
    if (isEnd === undefined) {
      if (name !== '') open.set(name, [...(open.get(name) ?? []), line].slice(-100));
      continue;
    }
    for (const [one, starts] of name === '' || name === '--'
      ? open
      : [[name, open.get(name) ?? []] as const]) {
      const start = starts.pop();
      if (start !== undefined && starts.length === 0) yield { name: one, line: start + 1, endLine: line - 1 };
    }
  }
}

/** Whether a line only begins or ends a region. */
export function isRegionMark(text: string): boolean {
  return markIn(text) !== null;
}

function markIn(text: string): RegExpExecArray | null {
  return text.includes('region') ? MARK.exec(text) : null;
}
