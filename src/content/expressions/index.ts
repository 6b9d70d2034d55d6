/** Expressions in pages; apart from the engine's own index, so that a command that only checks links does not load them. */
export { evaluateExpression, type Scope } from './evaluate-expression.ts';
export { type EvaluateOptions, evaluateMarkdown, evaluateText, hasExpressions } from './evaluate-markdown.ts';
export { hideVisitorConditions } from './hide-visitor-conditions.ts';
export { ExpressionError } from './tokens.ts';
export {
  answerQuestions,
  asksForVisitor,
  listVisitorQuestions,
  type VisitorOutcomes,
  type VisitorQuestions,
} from './visitor-outcomes.ts';
