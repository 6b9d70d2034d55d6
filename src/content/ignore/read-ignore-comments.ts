import type { Nodes, Root } from 'mdast';
import { MAX_TEXT_LENGTH, type Problem, type RepoPath } from '../model/index.ts';
import { guardSource, parseMarkdown } from '../parse/index.ts';
import { decodeText, LineIndex, type LinePosition } from '../text/index.ts';
import { COMMENT_PREFIX, mayContainComments } from './may-contain-comments.ts';

/** A range of a file whose broken links do not count. */
export interface IgnoredRange {
  /** The line of the comment that defines it. */
  readonly line: number;
  readonly directive: 'next-line' | 'disable';
  readonly reason: string;
  /** A link is in the range when it starts between these positions, `to` excluded. */
  readonly from: LinePosition;
  readonly to: LinePosition;
}

/** The comments of a file that ignore links. */
export interface IgnoreComments {
  readonly parts: readonly IgnoredRange[];
  /** Problems of invalid comments. */
  readonly problems: readonly Problem[];
}

const NOTHING: IgnoreComments = { parts: [], problems: [] };

/** Comments of one file that are read; instead of more, a single comment can cover the whole file. */
const MAX_COMMENTS = 10_000;

/**
 * Reads the comments `docloom-ignore-next-line: reason`, `docloom-ignore-disable: reason` and `docloom-ignore-enable`
 * of a page, written as HTML (`<!-- … -->`) or as MDX (`{/* … *\/}`). Comments inside code are examples and ignored.
 */
export function readIgnoreComments(path: RepoPath, bytes: Uint8Array): IgnoreComments {
  if (!mayContainComments(bytes)) return NOTHING;
  const { text } = decodeText(bytes);
  const comments = findComments(text, codeRanges(text, path));
  return comments.length === 0 ? NOTHING : interpret(text, comments);
}

interface Comment {
  readonly start: number;
  readonly end: number;
  /** The text between the delimiters, trimmed. */
  readonly text: string;
}

type Range = readonly [start: number, end: number];

/** The ranges of the text that are code or front matter. */
function codeRanges(text: string, path: RepoPath): readonly Range[] {
  let root: Root;
  let source: string;
  try {
    source = guardSource(text).source;
    root = parseMarkdown(source);
  } catch {
    return [];
  }
  const isMdx = /\.mdx$/i.test(path);
  const ranges: Range[] = [];
  const stack: Nodes[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const start = node.position?.start.offset;
    const end = node.position?.end.offset;
    if (start !== undefined && end !== undefined && isVerbatim(node, source, start, isMdx)) {
      ranges.push([start, end]);
    } else if ('children' in node) {
      for (const child of node.children) stack.push(child);
    }
  }
  return ranges.sort((a, b) => a[0] - b[0]);
}

function isVerbatim(node: Nodes, source: string, start: number, isMdx: boolean): boolean {
  if (node.type === 'inlineCode' || node.type === 'yaml') return true;
  // MDX has no indented code: an indented text is inside a component.
  return node.type === 'code' && (!isMdx || source[start] === '`' || source[start] === '~');
}

function findComments(text: string, code: readonly Range[]): readonly Comment[] {
  const comments: Comment[] = [];
  let range = 0;
  for (let at = text.indexOf(COMMENT_PREFIX); at !== -1; at = text.indexOf(COMMENT_PREFIX, at + 1)) {
    while ((code[range]?.[1] ?? Number.POSITIVE_INFINITY) <= at) range += 1;
    const inCode = (code[range]?.[0] ?? Number.POSITIVE_INFINITY) <= at;
    const comment = inCode ? null : commentAround(text, at);
    if (comment !== null && comments.length < MAX_COMMENTS) comments.push(comment);
  }
  return comments;
}

const DELIMITERS = [
  ['<!--', '-->'],
  ['{/*', '*/}'],
] as const;

/** The comment whose first word is at `at`; null when it is not a comment, or is never closed. */
function commentAround(text: string, at: number): Comment | null {
  let before = at;
  while (before > 0 && /\s/.test(text[before - 1] ?? '')) before -= 1;
  for (const [open, close] of DELIMITERS) {
    const start = before - open.length;
    if (!text.startsWith(open, start) || text[start - 1] === '\\') continue;
    // A comment that is longer than a few lines was never closed.
    const found = text.slice(at, at + 2 * MAX_TEXT_LENGTH).indexOf(close);
    if (found === -1) return null;
    return { start, end: at + found + close.length, text: text.slice(at, at + found).trim() };
  }
  return null;
}

function interpret(text: string, comments: readonly Comment[]): IgnoreComments {
  const lines = new LineIndex(text);
  const parts: IgnoredRange[] = [];
  const problems: Problem[] = [];
  let open: Omit<IgnoredRange, 'to'> | null = null;
  for (const comment of comments) {
    const start = lines.positionAt(comment.start);
    const { line } = start;
    const [, directive = '', rest = ''] =
      /^docloom-(?:ignore-)?([\w-]*)\s*:?\s*([\s\S]*)$/.exec(comment.text) ?? [];
    const reason = rest.replace(/\s+/g, ' ').slice(0, MAX_TEXT_LENGTH);
    const end = lines.positionAt(comment.end);
    const report = (message: string) => problems.push({ line, message });
    const needsReason = directive === 'next-line' || directive === 'disable';
    if (needsReason && reason === '') {
      report(`Add a reason: \`docloom-ignore-${directive}: reason\`. Without it nothing is ignored.`);
    } else if (directive === 'next-line') {
      const next = nextLineWithText(text, lines, end.line);
      parts.push({
        line,
        directive,
        reason,
        from: { line: next, column: 1 },
        to: { line: next + 1, column: 1 },
      });
    } else if (directive === 'disable') {
      if (open === null) open = { line, directive, reason, from: end };
      else report(`Links are already ignored since line ${open.line}. Remove this comment.`);
    } else if (directive !== 'enable') {
      report(
        'This comment is unknown. Possible: docloom-ignore-next-line, docloom-ignore-disable, docloom-ignore-enable.',
      );
    } else if (open === null) {
      report('There is no docloom-ignore-disable above that this comment could end. Remove it.');
    } else {
      parts.push({ ...open, to: start });
      open = null;
    }
  }
  if (open !== null) parts.push({ ...open, to: { line: Number.MAX_SAFE_INTEGER, column: 1 } });
  return { parts, problems };
}

/** The first line below `line` that is not blank, or the next line when there is none. */
function nextLineWithText(text: string, { starts }: LineIndex, line: number): number {
  for (let at = line; at < starts.length; at += 1) {
    if (text.slice(starts[at], starts[at + 1]).trim() !== '') return at + 1;
  }
  return line + 1;
}
