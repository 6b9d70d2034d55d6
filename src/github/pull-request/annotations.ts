import type { IgnoreProblem } from '../../content/ignore/index.ts';
import type { Finding } from '../../content/report/index.ts';
import { ruleWords } from './rule-words.ts';

/** One annotation as the checks API takes it. https://docs.github.com/rest/checks/runs#create-a-check-run */
export interface Annotation {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  /** Only where the annotation stays on one line; the end is inclusive. */
  readonly start_column?: number;
  readonly end_column?: number;
  readonly annotation_level: 'failure' | 'warning';
  readonly title: string;
  readonly message: string;
}

/** The API takes at most 50 annotations in a request. */
export const ANNOTATIONS_PER_REQUEST = 50;

/** More drown the reader; the report page holds the rest. */
export const ANNOTATIONS_PER_CHECK = 500;

/** GitHub's limit is 64 KB; a reader's is far lower. */
const MESSAGE_LENGTH = 2_000;

/** One annotation for each introduced broken link, at its place in the head. */
export function annotate(findings: readonly Finding[]): readonly Annotation[] {
  return findings.slice(0, ANNOTATIONS_PER_CHECK).map((finding) => ({
    path: finding.file,
    start_line: finding.line,
    end_line: finding.endLine,
    ...columnsOf(finding),
    annotation_level: 'failure',
    title: ruleWords[finding.rule],
    message: messageOf(finding).slice(0, MESSAGE_LENGTH),
  }));
}

/** A warning, which fails nothing, for each entry or comment about ignoring that needs a hand. */
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

/** Lists of at most 50, in order; one empty list when there is nothing. */
export function batch(annotations: readonly Annotation[]): readonly (readonly Annotation[])[] {
  const batches: (readonly Annotation[])[] = [];
  for (let start = 0; start < annotations.length; start += ANNOTATIONS_PER_REQUEST) {
    batches.push(annotations.slice(start, start + ANNOTATIONS_PER_REQUEST));
  }
  return batches.length === 0 ? [[]] : batches;
}

function columnsOf(finding: Finding): Pick<Annotation, 'start_column' | 'end_column'> {
  if (finding.line !== finding.endLine) return {};
  return {
    start_column: finding.column,
    end_column: Math.max(finding.column, finding.endColumn - 1),
  };
}

function messageOf(finding: Finding): string {
  const hint = finding.suggestion === null ? '' : ` Did you mean ${finding.suggestion}?`;
  return `${finding.message}${hint}`;
}
