import type { CheckedLinkReport } from '../../content/report/index.ts';

/**
 * The part of a report about one of its spaces, or all of it for null. Counts everything, and lists as much as the report
 * does. Null when the head has no space in this directory.
 */
export function reportOfSpace(report: CheckedLinkReport, directory: string | null): CheckedLinkReport | null {
  if (directory === null) return report;
  const space = report.spaces.find((space) => space.directory === directory);
  if (space === undefined) return null;
  const ofSpace = <T extends { readonly space: string }>(findings: readonly T[]) =>
    findings.filter((finding) => finding.space === space.title);
  const introduced = ofSpace(report.introduced);
  const existing = ofSpace(report.existing);
  const fixed = ofSpace(report.fixed);
  const files = new Set(introduced.map(({ file }) => file));
  const outside = ofSpace(report.outside ?? []);
  const lost = ofSpace(report.lost ?? []);
  const redirects = ofSpace(report.redirects ?? []);
  const previews = ofSpace(report.previews ?? []);
  const {
    outside: _outside,
    lost: _lost,
    redirects: _redirects,
    previews: _previews,
    unjudged: _unjudged,
    ...rest
  } = report;
  return {
    ...rest,
    ...(outside.length === 0 ? {} : { outside }),
    ...(lost.length === 0 ? {} : { lost }),
    ...(redirects.length === 0 ? {} : { redirects }),
    ...(previews.length === 0 ? {} : { previews }),
    spaces: [space],
    counts: space.counts ?? {
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
