/** Characters that may begin a link, an address or HTML. They are replaced with a parenthesis, which does not change a heading's name. */
const MARKS = /[[<@:]/g;

/**
 * Prevents formulas between `$$` from being read as links: `\left[a\right](b)` is none. Characters that begin links are
 * replaced one for one, so that positions and headings do not change. A formula ends in its paragraph; dollars in code
 * are text
 * (https://docs.github.com/en/get-started/writing-on-github/working-with-advanced-formatting/writing-mathematical-expressions).
 * One pass over the text.
 */
export function muteMath(source: string): string {
  if (!source.includes('$$')) return source;
  const parts: string[] = [];
  let done = 0;
  let opened = -1;
  let fence = '';
  for (let start = 0; start < source.length; ) {
    const newline = source.indexOf('\n', start);
    const end = newline === -1 ? source.length : newline + 1;
    const line = source.slice(start, end);
    const marks = /^[ \t>]*(?:[*+-][ \t]+|\d{1,9}[.)][ \t]+)?(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (fence !== '') {
      if (marks.startsWith(fence)) fence = '';
    } else if (marks !== '' && opened === -1) {
      fence = marks;
    } else if (line.trim() === '') {
      opened = -1;
    } else {
      const runs = lastRunsOf(line);
      for (let at = nextDollars(line, 0, opened !== -1, runs); at !== -1; ) {
        if (opened === -1) {
          opened = start + at;
        } else {
          parts.push(source.slice(done, opened), source.slice(opened, start + at).replace(MARKS, '('));
          done = start + at;
          opened = -1;
        }
        at = nextDollars(line, at + 2, opened !== -1, runs);
      }
    }
    start = end;
  }
  return parts.length === 0 ? source : parts.join('') + source.slice(done);
}

/** The offset of the next `$$` of a line that is not escaped and, outside a formula, not in code; -1 for none. */
function nextDollars(line: string, from: number, isInside: boolean, lastRuns: LastRuns): number {
  for (let at = from; at < line.length - 1; at += 1) {
    const character = line[at];
    if (character === '\\') at += 1;
    else if (character === '$' && line[at + 1] === '$') return at;
    else if (character === '`' && !isInside) at = afterCode(line, at, lastRuns) - 1;
  }
  return -1;
}

/** Length of a run of backticks → offset of the last such run of the line. */
type LastRuns = () => ReadonlyMap<number, number>;

function lastRunsOf(line: string): LastRuns {
  let known: Map<number, number> | null = null;
  return () => {
    known ??= new Map([...line.matchAll(/`+/g)].map((run) => [run[0].length, run.index]));
    return known;
  };
}

/** The offset after a code span of this line, or after the backticks when nothing closes them here. */
function afterCode(line: string, start: number, lastRuns: LastRuns): number {
  const opened = endOfRun(line, start);
  const length = opened - start;
  if ((lastRuns().get(length) ?? 0) <= start) return opened;
  for (let at = line.indexOf('`', opened); at !== -1; ) {
    const end = endOfRun(line, at);
    if (end - at === length) return end;
    at = line.indexOf('`', end);
  }
  return opened;
}

function endOfRun(line: string, start: number): number {
  let end = start;
  while (line[end] === '`') end += 1;
  return end;
}
