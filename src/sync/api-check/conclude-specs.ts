import type { ApiReportSpec } from '../../content/report/index.ts';
import type { Conclusion } from '../../github/index.ts';

/** The conclusion of the check, from what the pull request does to each specification. */
export function concludeSpecs(specs: readonly ApiReportSpec[]): Conclusion {
  const conclusions = specs.map(concludeSpec);
  if (conclusions.includes('failure')) return 'failure';
  return conclusions.includes('neutral') ? 'neutral' : 'success';
}

function concludeSpec({ outcome, breakingChanges, counts }: ApiReportSpec): Conclusion {
  if (outcome === 'refused') return 'failure';
  // Nothing checks breaking changes of a specification that left the configuration: a person should review that.
  if (outcome === 'unchecked' || outcome === 'removed') return 'neutral';
  if (counts.breaking === 0) return 'success';
  return breakingChanges === 'fail' ? 'failure' : 'neutral';
}

/** The findings of the check in one line. */
export function writeApiTitle(specs: readonly ApiReportSpec[]): string {
  if (specs.length === 0) return 'No API specification is changed any more';
  const failed = specs.filter(({ counts }) => counts.problems + counts.breaking > 0);
  const problems = failed.reduce((sum, { counts }) => sum + counts.problems, 0);
  const breaking = failed.reduce((sum, { counts }) => sum + counts.breaking, 0);
  const findings = [
    ...(problems === 0 ? [] : [`${problems} ${problems === 1 ? 'mistake' : 'mistakes'}`]),
    ...(breaking === 0 ? [] : [`${breaking} breaking ${breaking === 1 ? 'change' : 'changes'}`]),
  ];
  if (findings.length > 0) return `${findings.join(' and ')} in ${nameAll(failed)}`;
  const unchecked = specs.filter(({ outcome }) => outcome === 'unchecked');
  if (unchecked.length > 0) return `${nameAll(unchecked)} could not be compared`;
  const removed = specs.filter(({ outcome }) => outcome === 'removed');
  if (removed.length > 0) return `${nameAll(removed)} would not be read from a file any more`;
  return `No breaking change in ${nameAll(specs)}`;
}

function nameAll(specs: readonly ApiReportSpec[]): string {
  return specs.length === 1 ? (specs[0]?.name ?? '') : `${specs.length} specifications`;
}
