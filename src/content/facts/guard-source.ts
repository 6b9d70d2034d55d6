import { MAX_NESTING, MAX_PARAGRAPH_COST } from '../limits.ts';
import type { Problem } from '../model.ts';

/** A source that the parser can take in linear time and bounded memory. */
export interface GuardedSource {
  /** As long as the original, so that places stay true. */
  readonly source: string;
  readonly problems: readonly Problem[];
}

/**
 * Takes the two known traps out of a source: character references by the thousand in one paragraph, and lines that
 * nest blocks by the thousand. One pass; a source without traps comes back unchanged.
 */
export function guardSource(source: string): GuardedSource {
  const traps = findTraps(source);
  if (traps.length === 0) return { source, problems: [] };
  const parts: string[] = [];
  let end = 0;
  for (const trap of traps) {
    parts.push(
      source.slice(end, trap.start),
      source.slice(trap.start, trap.end).replace(trap.marks, '\u{fffd}'),
    );
    end = trap.end;
  }
  parts.push(source.slice(end));
  const problems = traps.map(({ message, line }) => ({ message, line }));
  return { source: parts.join(''), problems: problems.slice(0, 20) };
}

interface Trap {
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly marks: RegExp;
  readonly message: string;
}

const AMPERSAND = 38;
const MARKER = /[>*+\-0-9]/g;

function findTraps(source: string): Trap[] {
  const traps: Trap[] = [];
  let paragraph = { start: 0, line: 1, references: 0 };
  const closeParagraph = (end: number) => {
    if (paragraph.references * (end - paragraph.start) <= MAX_PARAGRAPH_COST) return;
    const message = `This paragraph holds ${paragraph.references} character references such as &amp;, which is too many to read. Split it with blank lines.`;
    traps.push({ start: paragraph.start, end, line: paragraph.line, marks: /&/g, message });
  };
  let line = 1;
  for (let start = 0; start < source.length; line += 1) {
    let end = source.indexOf('\n', start);
    if (end === -1) end = source.length;
    const { markers, blank, ampersands } = measureLine(source, start, end);
    if (markers > MAX_NESTING) {
      closeParagraph(start);
      const message = `This line nests more than ${MAX_NESTING} blocks, which is too deep to read.`;
      traps.push({ start, end, line, marks: MARKER, message });
    }
    if (blank || markers > MAX_NESTING) {
      if (blank) closeParagraph(start);
      paragraph = { start: end + 1, line: line + 1, references: 0 };
    } else {
      paragraph.references += ampersands;
    }
    start = end + 1;
  }
  closeParagraph(source.length);
  return traps;
}

function measureLine(source: string, start: number, end: number) {
  let markers = 0;
  let ampersands = 0;
  let blank = true;
  let leading = true;
  for (let at = start; at < end; at += 1) {
    const code = source.charCodeAt(at);
    if (code === AMPERSAND) ampersands += 1;
    if (code === 32 || code === 9 || code === 13) continue;
    blank = false;
    if (!leading) continue;
    if (isMarker(code)) markers += 1;
    else leading = false;
  }
  // A long rule such as `-----` or `*****` is no nesting: markers nest only with a space or `>` between them.
  if (markers > MAX_NESTING && !/[> ] ?[>*+\-0-9]/.test(source.slice(start, Math.min(end, start + 400))))
    markers = 0;
  return { markers, ampersands, blank };
}

/** `>`, `-`, `*`, `+`, digits, `.` and `)`. */
function isMarker(code: number): boolean {
  return (
    code === 62 ||
    code === 45 ||
    code === 42 ||
    code === 43 ||
    code === 46 ||
    code === 41 ||
    (code >= 48 && code <= 57)
  );
}
