import { findTags, type Tag } from '../dialect/index.ts';

/**
 * Removes from a page what its conditions hide, `{% if visitor.claims.plan %}` to `{% endif %}`, and the tags of those
 * that are true. `isTrue` returns null for a condition that stays as written, with its end; so does one without an end.
 */
export function resolveConditions(markdown: string, isTrue: (condition: string) => boolean | null): string {
  const tags = findTags(markdown).filter(({ name }) => name === 'if' || name === 'endif');
  if (tags.length === 0) return markdown;
  const removed: Span[] = [];
  const open: Tag[] = [];
  for (const tag of tags) {
    const start = tag.name === 'if' ? undefined : open.pop();
    if (tag.name === 'if') open.push(tag);
    if (start === undefined) continue;
    const isShown = isTrue(conditionOf(markdown, start));
    if (isShown === false) removed.push(expandToLine(markdown, { start: start.start, end: tag.end }));
    if (isShown === true) removed.push(expandToLine(markdown, start), expandToLine(markdown, tag));
  }
  return removeSpans(markdown, removed);
}

interface Span {
  readonly start: number;
  readonly end: number;
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
