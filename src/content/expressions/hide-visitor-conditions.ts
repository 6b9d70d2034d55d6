import type { Anchor } from '../model/index.ts';
import { replaceExpressions } from './replace-expressions.ts';
import { findConditions } from './resolve-conditions.ts';
import { asksForVisitor } from './visitor-outcomes.ts';

interface PageText {
  readonly markdown: string;
  readonly anchors: readonly Anchor[];
}

/**
 * Takes out of a page what depends on its visitor, for what is stored once for all of them: what
 * `{% if visitor.claims.plan %}` to `{% endif %}` decides about, expressions such as `{{ visitor.claims.name }}`, and the
 * anchors of headings with either. The other lines stay where they are.
 */
export function hideVisitorConditions({ markdown, anchors }: PageText): PageText {
  if (!asksForVisitor(markdown)) return { markdown, anchors };
  const shown = removeConditions(markdown);
  const text = replaceExpressions(shown, (expression) => (asksForVisitor(expression) ? '' : null));
  if (text === markdown) return { markdown, anchors };
  const before = markdown.split('\n');
  const after = text.split('\n');
  // A line that lost something may be a heading, whose name says what it lost.
  return { markdown: text, anchors: anchors.filter(({ line }) => before[line - 1] === after[line - 1]) };
}

function removeConditions(markdown: string): string {
  const spans: { readonly start: number; readonly end: number }[] = [];
  for (const { condition, begin, end } of findConditions(markdown)) {
    if (!asksForVisitor(condition)) continue;
    // What is inside of this one is hidden with it.
    while ((spans.at(-1)?.start ?? -1) > begin.start) spans.pop();
    spans.push({ start: begin.start, end: end?.end ?? markdown.length });
  }
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (start < at) continue;
    parts.push(markdown.slice(at, start), markdown.slice(start, end).replace(/[^\n]+/g, ''));
    at = end;
  }
  return parts.join('') + markdown.slice(at);
}
