import type { Region } from '../../model/index.ts';

/**
 * A marker that begins or ends a region, in a comment of Markdown or of common languages, with the text after `region`.
 */
const MARKER =
  /^\s{0,200}(?:<!--|\/\/|\/\*|#(?=\s?region|\s?endregion|\s?#))\s{0,20}#?(end)?region\b\s{0,20}([^\r\n]{0,200}?)\s{0,20}(?:-->|\*\/|$)/;

/**
 * Finds named parts that other pages include: `<!-- #region name -->` to `<!-- #endregion name -->`, also in comments of
 * code. An end marker without a name closes all open regions.
 */
export function* regionsIn(source: string): Iterable<Region> {
  const open = new Map<string, number[]>();
  let line = 0;
  for (const text of source.split('\n')) {
    line += 1;
    const match = markerIn(text);
    if (match === null) continue;
    const [, isEnd, name = ''] = match;
    if (isEnd === undefined) {
      if (name !== '') open.set(name, [...(open.get(name) ?? []), line].slice(-100));
      continue;
    }
    for (const [regionName, starts] of name === '' || name === '--'
      ? open
      : [[name, open.get(name) ?? []] as const]) {
      const start = starts.pop();
      if (start !== undefined && starts.length === 0)
        yield { name: regionName, line: start + 1, endLine: line - 1 };
    }
  }
}

/** Whether a line only begins or ends a region. */
export function isRegionMarker(text: string): boolean {
  return markerIn(text) !== null;
}

function markerIn(text: string): RegExpExecArray | null {
  return text.includes('region') ? MARKER.exec(text) : null;
}
