import { evaluateExpression, type Scope, toText } from './evaluate-expression.ts';
import { hasLineExpressions, replaceExpressions } from './replace-expressions.ts';
import { findConditions } from './resolve-conditions.ts';
import { ExpressionError } from './tokens.ts';

/** Different ones of a page that are evaluated; what further ones decide about is shown to nobody. */
const MAX_ASKED = 200;

/** What a page asks about its visitor, each once. */
export interface VisitorQuestions {
  readonly conditions: readonly string[];
  /** Expressions whose value is part of the text. */
  readonly values: readonly string[];
}

/** What a page's questions come to for one visitor. Two visitors with the same outcomes read the same. */
export interface VisitorOutcomes {
  readonly conditions: ReadonlyMap<string, boolean>;
  readonly values: ReadonlyMap<string, string>;
}

/** Whether an expression, or a whole page, may depend on the visitor. */
export function asksForVisitor(text: string): boolean {
  return /\bvisitor\b/.test(text);
}

export function listVisitorQuestions(markdown: string): VisitorQuestions {
  const conditions = new Set<string>();
  const values = new Set<string>();
  const add = (to: Set<string>, expression: string) => {
    if (conditions.size + values.size < MAX_ASKED && asksForVisitor(expression)) to.add(expression);
  };
  if (asksForVisitor(markdown)) {
    for (const { condition } of findConditions(markdown)) add(conditions, condition);
    if (hasLineExpressions(markdown)) {
      replaceExpressions(markdown, (expression) => {
        add(values, expression);
        return null;
      });
    }
  }
  return { conditions: [...conditions], values: [...values] };
}

/** A condition without a value is false, and any other expression empty. */
export function answerQuestions({ conditions, values }: VisitorQuestions, scope: Scope): VisitorOutcomes {
  return {
    conditions: new Map(conditions.map((each) => [each, Boolean(evaluateOrNothing(each, scope))])),
    values: new Map(values.map((each) => [each, toText(evaluateOrNothing(each, scope))])),
  };
}

function evaluateOrNothing(expression: string, scope: Scope): unknown {
  try {
    return evaluateExpression(expression, scope);
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}
