import { evaluateExpression, rootNamesOf, type Scope, toText } from './evaluate-expression.ts';
import { resolveConditions } from './resolve-conditions.ts';
import { ExpressionError } from './tokens.ts';

const OPEN = '<code class="expression">';
const CLOSE = '</code>';
/** Further expressions of a page stay as written. */
const MAX_EXPRESSIONS = 5_000;

export interface EvaluateOptions {
  readonly scope: Scope;
  /** Expressions that use other first names stay as written; all names of the scope are allowed when absent. */
  readonly only?: readonly string[];
}

/**
 * Replaces the expressions of a page with their values, `{{ space.vars.version }}` and
 * `<code class="expression">space.vars.version</code>`
 * (https://gitbook.com/docs/creating-content/variables-and-expressions), and removes what its conditions, `{% if … %}`,
 * hide. Code and front matter are left unchanged, and so are expressions that cannot be parsed or use unknown names.
 * Values are inserted as text: Markdown and HTML in them are escaped.
 */
export function evaluateMarkdown(markdown: string, options: EvaluateOptions): string {
  if (!hasExpressions(markdown)) return markdown;
  const shown = resolveConditions(markdown, (condition) => {
    const value = evaluateOrNull(condition, options);
    return value === null ? null : Boolean(value.value);
  });
  const lines = shown.split('\n');
  let fence: string | null = null;
  let inFrontMatter = /^---[ \t]*\r?$/.test(lines[0] ?? '');
  const count = { left: MAX_EXPRESSIONS };
  const evaluated = lines.map((line, at) => {
    if (inFrontMatter) {
      inFrontMatter = at === 0 || line.trimEnd() !== '---';
      return line;
    }
    const mark = /^[ \t>]{0,40}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === null || mark.startsWith(fence))) {
      fence = fence === null ? mark : null;
      return line;
    }
    return fence === null ? evaluateLine(line, options, count) : line;
  });
  return evaluated.join('\n');
}

/** A quick test: false for a page that `evaluateMarkdown` does not change. */
export function hasExpressions(markdown: string): boolean {
  return markdown.includes('{{') || markdown.includes(OPEN) || /\{%-?\s*if\b/.test(markdown);
}

function evaluateLine(line: string, options: EvaluateOptions, count: { left: number }): string {
  if (!line.includes('{{') && !line.includes(OPEN)) return line;
  let text = '';
  let at = 0;
  while (at < line.length) {
    const next = nextSpecialCharacter(line, at);
    text += line.slice(at, next);
    const [open, close] = line.startsWith('{{', next) ? ['{{', '}}'] : [OPEN, CLOSE];
    if (next >= line.length) break;
    if (line[next] === '\\') {
      text += line.slice(next, next + 2);
      at = next + 2;
    } else if (line[next] === '`') {
      at = afterCode(line, next);
      text += line.slice(next, at);
    } else if (!line.startsWith(open, next)) {
      text += line[next];
      at = next + 1;
    } else {
      const end = line.indexOf(close, next + open.length);
      // Without a closing delimiter here, no later expression of this kind has one.
      if (end === -1) return text + line.slice(next);
      const value = count.left > 0 ? evaluate(line.slice(next + open.length, end), options) : null;
      count.left -= 1;
      const whole = line.slice(next, end + close.length);
      text += value === null ? whole : asPlainText(value, text.trim() === '');
      at = end + close.length;
    }
  }
  return text;
}

function nextSpecialCharacter(line: string, from: number): number {
  for (let at = from; at < line.length; at += 1) {
    const character = line[at];
    if (character === '{' || character === '<' || character === '`' || character === '\\') return at;
  }
  return line.length;
}

/** The offset after a code span of this line, else after its backticks. */
function afterCode(line: string, start: number): number {
  let opened = start;
  while (line[opened] === '`') opened += 1;
  const marks = line.slice(start, opened);
  let end = line.indexOf(marks, opened);
  while (end !== -1 && line[end + marks.length] === '`') {
    while (line[end] === '`') end += 1;
    end = line.indexOf(marks, end);
  }
  return end === -1 ? opened : end + marks.length;
}

/** The text of an expression's value; null when the expression stays as written. */
function evaluate(written: string, options: EvaluateOptions): string | null {
  const text = written.replace(
    /&(amp|lt|gt|quot|#x27|#39|#x26);/g,
    (_all, name: string) => ENTITIES[name] ?? '',
  );
  const value = evaluateOrNull(text, options);
  return value === null ? null : toText(value.value);
}

function evaluateOrNull(text: string, { scope, only }: EvaluateOptions): { readonly value: unknown } | null {
  try {
    if (only !== undefined && [...rootNamesOf(text)].some((root) => !only.includes(root))) return null;
    return { value: evaluateExpression(text, scope) };
  } catch (error) {
    if (error instanceof ExpressionError) return null;
    throw error;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  '#x26': '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#x27': "'",
  '#39': "'",
};

/** Escapes text for both Markdown and HTML, so without backslashes, which HTML would show. */
function asPlainText(value: string, isAtStart: boolean): string {
  const line = value.replace(/\s+/g, ' ');
  const safe = line.replace(/[&<>*_`[\]~|{}\\$]/g, toReference);
  return isAtStart ? safe.replace(/^[#+=\d-]/, toReference) : safe;
}

function toReference(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}
