/**
 * What may be on the stack of the parser of MDX in one expression, import or export: an open bracket counts as ten, an
 * operator or a space as one, until a comma or a semicolon follows it. The smallest stack overflows at four times as much.
 */
const MAX_NESTING = 5_000;
const BRACKET = 10;

/**
 * Elements that are open in an expression at the same time double its time, each, when it is invalid: 12 take 5 ms. This is
 * the sum over all expressions of a page; of 1,400 large pages of public repositories none comes near it.
 */
const MAX_ATTEMPTS = 2 ** 17;

const OPERATORS = new Set([...'!~?:=+-*/%&|^<>@'].map((operator) => operator.charCodeAt(0)));

const FRONT_MATTER = /^---[ \t]*\r?\n(?:[^\n]*\n)*?---[ \t]*(?:\r?\n|$)/;
const FENCE = /([ \t]*)(`{3,}|~{3,})[^\n]*/y;
const TICKS = /`+/y;

/** Longer code in a line is looked at, which may count too much. */
const MAX_CODE_SPAN = 1_000;

/**
 * Whether the parser of MDX, native code that recurses without a limit and tries elements in expressions in two ways, could
 * overflow its stack or take exponential time. Takes linear time. In doubt, as where a text contains brackets, the code
 * counts as nested deeper than it is.
 */
export function nestsTooDeep(source: string): boolean {
  const levels: number[] = [];
  let level = 0;
  let nesting = 0;
  let isModule = false;
  let elements = 0;
  let mostElements = 0;
  let attempts = 0;
  const endCode = () => {
    attempts += mostElements === 0 ? 0 : 2 ** Math.min(mostElements, 30);
    elements = 0;
    mostElements = 0;
    nesting -= level;
    level = 0;
  };
  for (let at = FRONT_MATTER.exec(source)?.[0].length ?? 0; at < source.length; at += 1) {
    const skipped = levels.length === 0 && !isModule ? skipCode(source, at) : at;
    if (skipped > at) {
      at = skipped;
      continue;
    }
    const code = source.charCodeAt(at);
    const isLineStart = at === 0 || source.charCodeAt(at - 1) === 10;
    if (isLineStart && levels.length === 0) {
      if (isModule && (code === 10 || code === 13)) {
        isModule = false;
        endCode();
      }
      isModule ||= source.startsWith('export', at) || source.startsWith('import', at);
    }
    if (levels.length === 0 && !isModule && code !== 123) continue;
    // `(`, `[` and `{`
    if (code === 40 || code === 91 || code === 123) {
      levels.push(level);
      level = BRACKET;
      nesting += BRACKET;
    } else if (code === 41 || code === 93 || code === 125) {
      if (levels.length === 0) continue;
      nesting -= level;
      level = levels.pop() as number;
      if (levels.length === 0 && !isModule) endCode();
    } else if (code === 44 || code === 59) {
      const bracket = levels.length === 0 ? 0 : BRACKET;
      nesting -= level - bracket;
      level = bracket;
    } else if (code <= 32 || OPERATORS.has(code)) {
      level += 1;
      nesting += 1;
      if (code === 60 && source.charCodeAt(at + 1) !== 47 && source.charCodeAt(at + 1) > 32) {
        elements += 1;
        mostElements = Math.max(mostElements, elements);
      } else if (elements > 0 && (code === 60 || (code === 47 && source.charCodeAt(at + 1) === 62))) {
        elements -= 1;
      }
    }
    if (nesting > MAX_NESTING) return true;
  }
  endCode();
  return attempts > MAX_ATTEMPTS;
}

/** Where code in Markdown that begins here ends, its last code unit; the position itself if there is none. */
function skipCode(source: string, at: number): number {
  const code = source.charCodeAt(at);
  if (code === 92) return at + 1;
  const isLineStart = at === 0 || source.charCodeAt(at - 1) === 10;
  if (isLineStart && (code === 96 || code === 126 || code === 32 || code === 9)) {
    FENCE.lastIndex = at;
    const fence = FENCE.exec(source);
    if (fence !== null) return skipFence(source, FENCE.lastIndex, fence[1] ?? '', fence[2] ?? '');
  }
  if (code !== 96) return at;
  TICKS.lastIndex = at;
  const ticks = TICKS.exec(source)?.[0] ?? '';
  const rest = source.slice(at + ticks.length, at + MAX_CODE_SPAN);
  const end = rest.indexOf(ticks);
  const line = rest.indexOf('\n');
  return at + (end === -1 || (line !== -1 && line < end) ? ticks.length : end + 2 * ticks.length) - 1;
}

/** The end of the line that closes a fence, or of the last one before a line that is indented less. */
function skipFence(source: string, opened: number, indent: string, mark: string): number {
  let end = opened;
  while (end < source.length) {
    const start = end + 1;
    const next = source.indexOf('\n', start);
    const stop = next === -1 ? source.length : next;
    const line = source.slice(start, stop);
    if (line.trim() !== '' && !line.startsWith(indent)) return end;
    end = stop;
    if (line.trim().startsWith(mark) && line.trim().replaceAll(mark[0] as string, '') === '') return end;
  }
  return end;
}
