import type { ApiReportSpec } from '../../content/report/index.ts';
import type { Conclusion } from '../../github/index.ts';

/** The conclusion of the check, from what the pull request does to each specification. */
export function concludeSpecs(specs: readonly ApiReportSpec[]): Conclusion {
  const each = specs.map(concludeSpec);
  if (each.includes('failure')) return 'failure';
  return each.includes('neutral') ? 'neutral' : 'success';
}

function concludeSpec({ outcome, breakingChanges, counts }: ApiReportSpec): Conclusion {
  if (outcome === 'refused') return 'failure';
  // Breaks of a specification that is removed from the configuration are not checked: a person should review it.
  if (outcome === 'unchecked' || outcome === 'removed') return 'neutral';
  if (counts.breaking === 0) return 'success';
  return breakingChanges === 'fail' ? 'failure' : 'neutral';
}

/** One line that says what the check found. */
export function writeApiTitle(specs: readonly ApiReportSpec[]): string {
  if (specs.length === 0) return 'No API specification is changed any more';
  const bad = specs.filter(({ counts }) => counts.problems + counts.breaking > 0);
  const problems = bad.reduce((sum, { counts }) => sum + counts.problems, 0);
  const breaking = bad.reduce((sum, { counts }) => sum + counts.breaking, 0);
  const said = [
    ...(problems === 0 ? [] : [`${problems} ${problems === 1 ? 'mistake' : 'mistakes'}`]),
    ...(breaking === 0 ? [] : [`${breaking} breaking ${breaking === 1 ? 'change' : 'changes'}`]),
  ];
  if (said.length > 0) return `${said.join(' and ')} in ${nameAll(bad)}`;
  const unchecked = specs.filter(({ outcome }) => outcome === 'unchecked');
  if (unchecked.length > 0) return `${nameAll(unchecked)} could not be compared`;
  const removed = specs.filter(({ outcome }) => outcome === 'removed');
  if (removed.length > 0) return `${nameAll(removed)} would not be read from a file any more`;
  return `No breaking change in ${nameAll(specs)}`;
}

function nameAll(specs: readonly ApiReportSpec[]): string {
  return specs.length === 1 ? (specs[0]?.name ?? '') : `${specs.length} specifications`;
}
