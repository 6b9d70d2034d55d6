import type { IgnoreProblem } from '../../content/ignore/index.ts';
import type { Rule } from '../../content/model/index.ts';
import type { ReportedLink } from '../../content/report/index.ts';
import { ANNOTATIONS_PER_CHECK, type Annotation } from '../api/index.ts';

/** GitHub's limit is 64 KB; people read far less. */
const MESSAGE_LENGTH = 2_000;

/** An annotation for each introduced broken link, at its position in the head. */
export function annotate(findings: readonly ReportedLink[]): readonly Annotation[] {
  return findings.slice(0, ANNOTATIONS_PER_CHECK).map((finding) => ({
    path: finding.file,
    start_line: finding.line,
    end_line: finding.endLine,
    ...columnsOf(finding),
    annotation_level: 'failure',
    title: ruleTitles[finding.rule],
    message: messageOf(finding).slice(0, MESSAGE_LENGTH),
  }));
}

/** A warning, which fails nothing, for each ignore entry or comment that has a problem. */
export function annotateIgnores(problems: readonly IgnoreProblem[]): readonly Annotation[] {
  return problems.map(({ file, line, message }) => ({
    path: file,
    start_line: line ?? 1,
    end_line: line ?? 1,
    annotation_level: 'warning',
    title: 'Ignored links',
    message: message.slice(0, MESSAGE_LENGTH),
  }));
}

function columnsOf(finding: ReportedLink): Pick<Annotation, 'start_column' | 'end_column'> {
  if (finding.line !== finding.endLine) return {};
  return {
    start_column: finding.column,
    end_column: Math.max(finding.column, finding.endColumn - 1),
  };
}

function messageOf(finding: ReportedLink): string {
  const hint = finding.suggestion === null ? '' : ` Did you mean ${finding.suggestion}?`;
  return `${finding.message}${hint}`;
}

/** The titles of annotations. */
const ruleTitles: Readonly<Record<Rule, string>> = {
  'missing-page': 'Page not found',
  'missing-file': 'File not found',
  'missing-anchor': 'Heading not found',
  'case-mismatch': 'Upper and lower case differ',
  'unlisted-page': 'Page is not published',
  'outside-space': 'Outside the space',
  'outside-repository': 'Outside the repository',
  'broken-marker': 'Marked as broken',
  'invalid-url': 'Address cannot work',
  'empty-target': 'Link without destination',
};
