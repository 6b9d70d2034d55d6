import type { Report, ReportSpace } from '../../content/report.ts';

/** What a report tells of one of its spaces. Of long reports it knows as much as the report does. */
export function reportOfSpace(report: Report, space: ReportSpace): Report {
  const ofSpace = <T extends { readonly space: string }>(findings: readonly T[]) =>
    findings.filter((one) => one.space === space.title);
  const introduced = ofSpace(report.introduced);
  const existing = ofSpace(report.existing);
  const fixed = ofSpace(report.fixed);
  const files = new Set(introduced.map(({ file }) => file));
  const outside = ofSpace(report.outside ?? []);
  const { outside: _all, ...rest } = report;
  return {
    ...rest,
    ...(outside.length === 0 ? {} : { outside }),
    spaces: [space],
    counts: {
      introduced: introduced.length,
      existing: existing.length,
      fixed: fixed.length,
      untouchedFiles: new Set(introduced.filter(({ touched }) => !touched).map(({ file }) => file)).size,
    },
    moved: report.moved.flatMap((moved) => {
      const linkedFrom = moved.linkedFrom.filter((file) => files.has(file));
      return linkedFrom.length === 0 ? [] : [{ ...moved, linkedFrom }];
    }),
    introduced,
    existing,
    fixed,
  };
}
