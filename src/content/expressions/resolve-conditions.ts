import { findTags, type Tag } from '../dialect/index.ts';

/**
 * Removes from a page what its conditions hide, `{% if visitor.claims.plan %}` to `{% endif %}`, and the tags of those
 * that are true. `isTrue` returns null for a condition that stays as written, with its end. One without an end, which
 * `isClosed` tells, decides about the rest of the page.
 */
export function resolveConditions(
  markdown: string,
  isTrue: (condition: string, isClosed: boolean) => boolean | null,
): string {
  const removed: Span[] = [];
  for (const { condition, begin, end } of findConditions(markdown)) {
    const isShown = isTrue(condition, end !== null);
    if (isShown === null) continue;
    if (end === null) removed.push(isShown ? expandToLine(markdown, begin) : restFrom(markdown, begin));
    else if (isShown) removed.push(expandToLine(markdown, begin), expandToLine(markdown, end));
    else removed.push(expandToLine(markdown, { start: begin.start, end: end.end }));
  }
  return removeSpans(markdown, removed);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** A condition of a page, with the tags around what it decides about. */
interface PageCondition {
  readonly condition: string;
  readonly begin: Tag;
  /** Null where it is missing. */
  readonly end: Tag | null;
}

/** The conditions of a page, inner ones first, those without an end last. */
export function findConditions(markdown: string): readonly PageCondition[] {
  const found: PageCondition[] = [];
  const open: Tag[] = [];
  for (const tag of findTags(markdown)) {
    if (tag.name === 'if') open.push(tag);
    const begin = tag.name === 'endif' ? open.pop() : undefined;
    if (begin !== undefined) found.push({ condition: conditionOf(markdown, begin), begin, end: tag });
  }
  for (const begin of open.toReversed())
    found.push({ condition: conditionOf(markdown, begin), begin, end: null });
  return found;
}

function restFrom(markdown: string, { start }: Span): Span {
  return { start, end: markdown.length };
}

function conditionOf(markdown: string, { start, end }: Tag): string {
  return markdown
    .slice(start + 2, end - 2)
    .replace(/^-?\s*if\b/, '')
    .replace(/-$/, '')
    .trim();
}

/** Expands a span to its whole lines when they contain nothing else. */
function expandToLine(text: string, { start, end }: Span): Span {
  let lineStart = start;
  while (/[ \t]/.test(text[lineStart - 1] ?? '')) lineStart -= 1;
  let lineEnd = end;
  while (/[ \t\r]/.test(text[lineEnd] ?? '')) lineEnd += 1;
  const isAlone =
    (lineStart === 0 || text[lineStart - 1] === '\n') && (lineEnd === text.length || text[lineEnd] === '\n');
  return isAlone ? { start: lineStart, end: Math.min(lineEnd + 1, text.length) } : { start, end };
}

function removeSpans(text: string, spans: readonly Span[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (start > at) parts.push(text.slice(at, start));
    at = Math.max(at, end);
  }
  return parts.join('') + text.slice(at);
}
