import type { Anchor } from '../model/index.ts';
import { findConditions } from './resolve-conditions.ts';

interface PageText {
  readonly markdown: string;
  readonly anchors: readonly Anchor[];
}

const ASKS_FOR_VISITOR = /\bvisitor\b/;

/**
 * Takes out of a page what only some visitors see, `{% if visitor.claims.plan %}` to `{% endif %}`, for what is stored once
 * for all of them. The other lines stay where they are.
 */
export function hideVisitorConditions({ markdown, anchors }: PageText): PageText {
  if (!ASKS_FOR_VISITOR.test(markdown)) return { markdown, anchors };
  const spans: { readonly start: number; readonly end: number }[] = [];
  for (const { condition, begin, end } of findConditions(markdown)) {
    if (!ASKS_FOR_VISITOR.test(condition)) continue;
    // What is inside of this one is hidden with it.
    while ((spans.at(-1)?.start ?? -1) > begin.start) spans.pop();
    spans.push({ start: begin.start, end: end.end });
  }
  if (spans.length === 0) return { markdown, anchors };
  const parts: string[] = [];
  const hiddenLines = new Set<number>();
  let at = 0;
  let line = 1;
  for (const { start, end } of spans) {
    const before = markdown.slice(at, start);
    const lines = linesIn(markdown.slice(start, end));
    line += linesIn(before);
    for (let hidden = line; hidden <= line + lines; hidden++) hiddenLines.add(hidden);
    line += lines;
    parts.push(before, '\n'.repeat(lines));
    at = end;
  }
  return {
    markdown: parts.join('') + markdown.slice(at),
    anchors: anchors.filter((anchor) => !hiddenLines.has(anchor.line)),
  };
}

function linesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
