import { ExpressionError, evaluateExpression } from '../../content/expressions/index.ts';
import { invalid } from '../api/api-error.ts';
import type {
  ArrangedGroup,
  ArrangedSection,
  ArrangedSiteSpace,
  ArrangedStructure,
} from './arrange-structure.ts';

/** What is known of a visitor: what a signed token says, and in `unsigned` what only their browser says. */
export interface ConditionScope {
  readonly [name: string]: unknown;
  readonly unsigned: Readonly<Record<string, unknown>>;
}

/** A visitor of whom nothing is known. */
export const NOTHING_KNOWN: ConditionScope = { unsigned: {} };

/** Whether what has this condition is there for a visitor; null for no condition. One that has no value hides. */
export function isTrueFor(condition: string | null, claims: ConditionScope): boolean {
  if (condition === null) return true;
  try {
    return Boolean(evaluateExpression(condition, { visitor: { claims } }));
  } catch (error) {
    if (error instanceof ExpressionError) return false;
    throw error;
  }
}

/** Throws a 400 about a condition that cannot be evaluated. */
export function checkCondition(condition: string | null | undefined, field: string): void {
  if (condition == null) return;
  try {
    evaluateExpression(condition, { visitor: { claims: NOTHING_KNOWN } });
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw invalid(field, `is not a condition: ${error.message.replace(/\.$/, '')}`);
  }
}

/** The structure without what its conditions hide. Groups and sections of which nothing is left are not there either. */
export function hideConditional(
  structure: ArrangedStructure,
  isShown: (condition: string | null) => boolean,
): ArrangedStructure {
  const shown = (siteSpaces: readonly ArrangedSiteSpace[]) =>
    siteSpaces.filter(({ row }) => isShown(row.condition));

  function reduce(item: ArrangedGroup | ArrangedSection): readonly (ArrangedGroup | ArrangedSection)[] {
    if (item.type === 'group') {
      const children = item.children.flatMap(reduce);
      return children.length === 0 ? [] : [{ ...item, children }];
    }
    const siteSpaces = isShown(item.row.condition) ? shown(item.siteSpaces) : [];
    return siteSpaces.length === 0 ? [] : [{ ...item, siteSpaces }];
  }
  const items = structure.items.flatMap(reduce);
  return { items, sections: items.flatMap(sectionsIn), siteSpaces: shown(structure.siteSpaces) };
}

/** The sections of a group and of those in it, in their order. */
function sectionsIn(item: ArrangedGroup | ArrangedSection): readonly ArrangedSection[] {
  return item.type === 'section' ? [item] : item.children.flatMap(sectionsIn);
}
