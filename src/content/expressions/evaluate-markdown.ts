import { evaluateExpression, rootNamesOf, type Scope, toText } from './evaluate-expression.ts';
import { hasLineExpressions, replaceExpressions, replaceInText } from './replace-expressions.ts';
import { resolveConditions } from './resolve-conditions.ts';
import { ExpressionError } from './tokens.ts';
import { asksForVisitor, type VisitorOutcomes } from './visitor-outcomes.ts';

/** Further expressions of a page stay as written. */
const MAX_EXPRESSIONS = 5_000;

export interface EvaluateOptions {
  readonly scope: Scope;
  /** Expressions that use other first names stay as written; all names of the scope are allowed when absent. */
  readonly only?: readonly string[];
  /** For a page that a visitor reads: what it asks about them. What is not in it is hidden, and so is what has no value. */
  readonly outcomes?: VisitorOutcomes;
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
  const { outcomes } = options;
  let left = MAX_EXPRESSIONS;
  const shown = resolveConditions(markdown, (condition, isClosed) => {
    if (outcomes !== undefined && asksForVisitor(condition))
      return outcomes.conditions.get(condition) ?? false;
    const value = isClosed ? evaluateOrNull(condition, options) : null;
    return value === null ? null : Boolean(value.value);
  });
  return replaceExpressions(shown, (expression) => {
    if (outcomes !== undefined && asksForVisitor(expression)) return outcomes.values.get(expression) ?? '';
    left -= 1;
    const value = left < 0 ? null : evaluateOrNull(expression, options);
    return value === null ? null : toText(value.value);
  });
}

/** A title or a description with the values of its expressions; those that cannot be evaluated stay as written. */
export function evaluateText(text: string, options: Pick<EvaluateOptions, 'scope' | 'only'>): string {
  if (!hasLineExpressions(text)) return text;
  return replaceInText(text, (expression) => {
    const value = evaluateOrNull(expression, options);
    return value === null ? null : toText(value.value);
  });
}

/** A quick test: false for a page that `evaluateMarkdown` does not change. */
export function hasExpressions(markdown: string): boolean {
  return hasLineExpressions(markdown) || /\{%-?\s*if\b/.test(markdown);
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
