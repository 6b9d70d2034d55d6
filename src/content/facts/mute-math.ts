/** What could begin a link, an address or HTML; a parenthesis leaves a heading's name as it is. */
const MARKS = /[[<@:]/g;

/**
 * Takes formulas between `$$` for what they are: `\left[a\right](b)` is no link. Signs that begin links are replaced one
 * for one, so that places and headings stay what they are. A formula ends in its paragraph or, where `$$` has its own
 * line, at the next such line; dollars in code are text
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

/** Where the next `$$` of a line stands that is not escaped and, outside a formula, not in code; -1 when there is none. */
function nextDollars(line: string, from: number, isInside: boolean, lastRuns: LastRuns): number {
  for (let at = from; at < line.length - 1; at += 1) {
    const sign = line[at];
    if (sign === '\\') at += 1;
    else if (sign === '$' && line[at + 1] === '$') return at;
    else if (sign === '`' && !isInside) at = afterCode(line, at, lastRuns) - 1;
  }
  return -1;
}

/** How many backticks a run has → where the last such run of the line stands. */
type LastRuns = () => ReadonlyMap<number, number>;

function lastRunsOf(line: string): LastRuns {
  let known: Map<number, number> | null = null;
  return () => {
    known ??= new Map([...line.matchAll(/`+/g)].map((run) => [run[0].length, run.index]));
    return known;
  };
}

/** After a code span of this line, or after the backticks when nothing closes them here. */
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
