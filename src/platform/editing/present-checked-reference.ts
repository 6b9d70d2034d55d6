import { planDestinations } from '../../content/fix/index.ts';
import type { Link } from '../../content/index.ts';
import type { CheckedReference } from '../../contract/index.ts';

/** The public fields of a reference in a text that is not saved. */
export function presentCheckedReference(text: string, link: Link): CheckedReference {
  const { target, line, column, endLine, endColumn, status, rule, message, warning, suggestion } = link;
  const fix = suggestion === null ? [] : fixOf(text, link, suggestion);
  return {
    target,
    line,
    column,
    endLine,
    endColumn,
    verdict: status,
    ...(rule === null ? {} : { rule }),
    ...(message === null ? {} : { message }),
    ...(warning === null ? {} : { warning: warning.message }),
    ...(suggestion === null ? {} : { suggestion }),
    ...(fix.length === 0 ? {} : { fix }),
  };
}

function fixOf(text: string, { line, column, endLine, endColumn, target }: Link, to: string) {
  const { replacements } = planDestinations(text, [{ line, column, endLine, endColumn, target, to }]);
  return replacements.map(({ start, end, text: insert }) => ({ from: start, to: end, insert }));
}
