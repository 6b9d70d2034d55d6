import type { Nodes, Root } from 'mdast';
import {
  CHARACTER_REFERENCE_COST,
  MAX_BLOCK_NESTING,
  MAX_MARKS_IN_ADDRESS,
  MAX_PARAGRAPH_COST,
  type Problem,
  UNDERSCORE_COST,
} from '../model/index.ts';
import { UNREAD_MARK } from '../text/index.ts';
import { BEYOND_ASCII, LongLines } from './long-lines.ts';
import { END_MARK, findMarkRows } from './mark-rows.ts';
import { parseMarkdown } from './parse-markdown.ts';

/** A source that the parser can read in linear time and bounded memory. */
export interface GuardedSource {
  /** As long as the original, so that positions stay correct. */
  readonly source: string;
  readonly problems: readonly Problem[];
}

/** A part of the source that is too costly to parse: its `marks` become `UNREAD_MARK`, one code unit for one. */
interface Trap {
  readonly start: number;
  readonly end: number;
  readonly marks: RegExp;
  readonly problem: Problem;
}

/** Characters that begin a character reference, a bare address or emphasis; replacing them does not change other text. */
const COSTLY = /[&@_]|:(?=\/\/)|(?<=www)\./gi;
const MARKER = /[>*+\-0-9]/g;

/** At most this many problems are reported for one file. */
const MAX_PROBLEMS = 20;

/**
 * Removes the known parser traps from a source: lines that nest thousands of blocks, addresses with hundreds of
 * consecutive marks, and paragraphs with thousands of character references, bare addresses and underscores. One pass; only
 * a source that may have the latter is parsed without them first, to find its paragraphs. A source without traps is
 * returned unchanged.
 */
export function guardSource(source: string): GuardedSource {
  const { lineTraps, mayBeCostly } = scanLines(source);
  const flat = removeTraps(source, lineTraps);
  const costly = mayBeCostly ? costlyParagraphs(flat, parseMarkdown(withoutCost(flat))) : [];
  const problems = [...lineTraps, ...costly].map((trap) => trap.problem);
  return { source: removeTraps(flat, costly), problems: problems.slice(0, MAX_PROBLEMS) };
}

/** Lines except thematic breaks of underscores, which cost nothing, and without which the paragraphs around them would merge. */
const LINES_WITH_TEXT = /^(?![ \t>*+\-\d.)]*_[_ \t]*\r?$).+$/gm;

/** Removes costly characters, without changing the blocks of the source. */
function withoutCost(source: string): string {
  return source.replace(LINES_WITH_TEXT, (line) => line.replace(COSTLY, 'x'));
}

function removeTraps(source: string, traps: readonly Trap[]): string {
  if (traps.length === 0) return source;
  const parts: string[] = [];
  let end = 0;
  for (const trap of traps) {
    parts.push(
      source.slice(end, trap.start),
      source.slice(trap.start, trap.end).replace(trap.marks, (marks) => UNREAD_MARK.repeat(marks.length)),
    );
    end = trap.end;
  }
  return parts.join('') + source.slice(end);
}

function scanLines(source: string): { readonly lineTraps: readonly Trap[]; readonly mayBeCostly: boolean } {
  const lineTraps: Trap[] = [];
  const longLines = new LongLines();
  let mayBeCostly = false;
  const mustMeasure = costBound(source) > MAX_PARAGRAPH_COST;
  // Lines between blank ones, which no paragraph can be longer than.
  let run = { start: 0, cost: 0 };
  let line = 1;
  for (let start = 0; start < source.length; line += 1) {
    const next = source.indexOf('\n', start);
    const end = next === -1 ? source.length : next;
    if (!mustMeasure && end - start <= MAX_BLOCK_NESTING) {
      start = end + 1;
      continue;
    }
    const { markers, blank, cost } = measureLine(source, start, end);
    if (markers > MAX_BLOCK_NESTING) {
      const message = `This line nests more than ${MAX_BLOCK_NESTING} blocks, which is too deep to read.`;
      lineTraps.push({ start, end, marks: MARKER, problem: { message, line } });
    } else {
      const isTooCostly = longLines.isTooCostly(source, start, end);
      if (isTooCostly) {
        const message = 'This line is too long to be read with its non-ASCII letters. Break it.';
        lineTraps.push({ start, end, marks: BEYOND_ASCII, problem: { message, line } });
      }
      for (const row of isTooCostly ? [] : findMarkRows(source, start, end)) {
        const message = `This address contains more than ${MAX_MARKS_IN_ADDRESS} punctuation marks in a row, which were not read.`;
        lineTraps.push({ ...row, marks: END_MARK, problem: { message, line } });
      }
    }
    run.cost += cost;
    if (run.cost * (end - run.start) > MAX_PARAGRAPH_COST) mayBeCostly = true;
    if (blank) run = { start: end, cost: 0 };
    start = end + 1;
  }
  return { lineTraps, mayBeCostly };
}

/** The maximum cost of the whole source if it were one paragraph; few sources come near the limit. */
function costBound(source: string): number {
  let references = 0;
  if (source.length * source.length * CHARACTER_REFERENCE_COST > MAX_PARAGRAPH_COST) {
    for (let at = source.indexOf('&'); at !== -1; at = source.indexOf('&', at + 1)) references += 1;
  } else {
    references = source.length;
  }
  return (references * CHARACTER_REFERENCE_COST + source.length - references) * source.length;
}

function measureLine(source: string, start: number, end: number) {
  let markers = 0;
  let cost = 0;
  let blank = true;
  let leading = true;
  for (let at = start; at < end; at += 1) {
    const code = source.charCodeAt(at);
    if (code === 32 || code === 9 || code === 13) continue;
    blank = false;
    cost += costOf(code);
    if (leading && isMarker(code)) markers += 1;
    else leading = false;
  }
  // A long rule such as `-----` does not nest: markers nest only with a space or `>` between them.
  const nests =
    markers > MAX_BLOCK_NESTING && /[> ] ?[>*+\-0-9]/.test(source.slice(start, Math.min(end, start + 400)));
  return { markers: nests ? markers : 0, cost, blank };
}

function costlyParagraphs(source: string, root: Root): Trap[] {
  const traps: Trap[] = [];
  const stack: Nodes[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const { position } = node;
    const start = position?.start.offset ?? 0;
    const end = position?.end.offset ?? 0;
    if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell') {
      let cost = 0;
      for (let at = start; at < end; at += 1) cost += costOf(source.charCodeAt(at));
      if (cost * (end - start) <= MAX_PARAGRAPH_COST) continue;
      const message =
        'This paragraph contains too many addresses or character references such as &amp; to be read completely. Split it with blank lines.';
      traps.push({ start, end, marks: COSTLY, problem: { message, line: position?.start.line ?? null } });
    } else if ('children' in node) {
      for (let at = node.children.length - 1; at >= 0; at -= 1) stack.push(node.children[at] as Nodes);
    }
  }
  return traps;
}

/** `&` may begin a character reference; `@`, `:` and `w` an address. */
function costOf(code: number): number {
  if (code === 38) return CHARACTER_REFERENCE_COST;
  if (code === 95) return UNDERSCORE_COST;
  return code === 64 || code === 58 || (code | 32) === 119 ? 1 : 0;
}

/** `>`, `-`, `*`, `+`, digits, `.` and `)`. */
function isMarker(code: number): boolean {
  return (
    code === 62 || code === 45 || (code >= 41 && code <= 43) || code === 46 || (code >= 48 && code <= 57)
  );
}
