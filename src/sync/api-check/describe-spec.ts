import type { ApiChange, ApiProblem, ApiReportSpec } from '../../content/report/index.ts';
import { CONFIG_PATH } from '../../github/index.ts';
import { explainBreakingChange, formatSpecProblem, type SpecProblem } from '../../openapi/index.ts';
import { PermanentFailure } from '../../queue/index.ts';
import type { LocatedChange } from '../openapi/check-spec.ts';
import type { SpecThread } from '../openapi/open-spec-thread.ts';
import { readSpecFiles } from '../openapi/read-spec-files.ts';
import type { ApiSides, TouchedSpec } from './find-touched.ts';

const NO_COUNTS = { problems: 0, existing: 0, changes: 0, breaking: 0 } as const;

/** Describes what a pull request does to one specification. An exceeded limit is reported, and fails nothing. */
export async function describeSpec(
  spec: TouchedSpec,
  { base, head }: ApiSides,
  thread: SpecThread,
  signal: AbortSignal,
): Promise<ApiReportSpec> {
  const { name, old, next, line, breakingChanges } = spec;
  const plain = { name, breakingChanges, note: null, problems: [], changes: [], counts: NO_COUNTS };
  if (next === null) {
    const note =
      'The configuration does not read it from a file any more. The live version stays, and is not updated.';
    return { ...plain, file: old ?? '', outcome: 'removed', note };
  }
  if (!head.entries.has(next)) {
    const message = `There is no file ${next} for ${name}; name an existing file, or remove the entry.`;
    const problem = { file: CONFIG_PATH, line, column: 1, message };
    const counts = { ...NO_COUNTS, problems: 1 };
    return { ...plain, file: next, outcome: 'refused', problems: [problem], counts };
  }
  const sides = { old: readSpecFiles(base), new: readSpecFiles(head) };
  try {
    const findings = await thread.check({ old, next }, (side, file) => sides[side].read(file), signal);
    const known = new Set(findings.oldProblems.map(identityOf));
    const introduced = findings.problems.filter((problem) => !known.has(identityOf(problem)));
    const existing = findings.problems.length - introduced.length;
    const found = { ...plain, file: next, counts: { ...NO_COUNTS, problems: introduced.length, existing } };
    if (introduced.length > 0) return { ...found, outcome: 'refused', problems: introduced.map(toProblem) };
    if (findings.problems[0]) {
      const note = `It cannot be read, and could not be before this pull request. ${formatSpecProblem(findings.problems[0])}`;
      return { ...found, outcome: 'unchecked', note };
    }
    if (old === null) return { ...found, outcome: 'new' };
    if (findings.comparison === null) {
      const note = 'It could not be read before this pull request, so there is nothing to compare it with.';
      return { ...found, outcome: 'new', note };
    }
    if (breakingChanges === 'off') {
      const note = 'Changes for clients are not reported, since breaking-changes is off.';
      return { ...found, outcome: 'compared', note };
    }
    const { changes, total, breaking } = findings.comparison;
    const counts = { ...NO_COUNTS, changes: total, breaking };
    return { ...found, outcome: 'compared', counts, changes: changes.map(toChange) };
  } catch (error) {
    if (!(error instanceof PermanentFailure)) throw error;
    return { ...plain, file: next, outcome: 'unchecked', note: error.message };
  }
}

/** Identifies a mistake in both versions, whatever line it is on. */
function identityOf({ code, file, pointer, message }: SpecProblem): string {
  return JSON.stringify([code, file, pointer ?? '', message]);
}

function toProblem({ file, line = 1, column = 1, message }: SpecProblem): ApiProblem {
  return { file, line, column, message };
}

function toChange({ kind, breaking, message, was, is, side, position, nearest }: LocatedChange): ApiChange {
  return {
    breaking,
    message,
    was: was ?? null,
    is: is ?? null,
    why: breaking ? explainBreakingChange(kind) : null,
    place: { side: side === 'old' ? 'base' : 'head', file: position.file, line: position.line },
    nearest: { file: nearest.file, line: nearest.line },
  };
}
