import {
  bundleSpec,
  compareSpecs,
  type FilePosition,
  locateByPath,
  locateInSpec,
  type ReadFile,
  type ReadSpec,
  readSpec,
  type SpecChange,
  type SpecProblem,
} from '../../openapi/index.ts';

/** The version that a file belongs to. */
export type Side = 'old' | 'new';

export interface SideFile {
  readonly side: Side;
  readonly file: string;
}

/** A specification to read and the old one to compare it with. Plain data: it is sent to a thread. */
export interface SpecCheck {
  /** The first file; null where there was none. */
  readonly old: string | null;
  readonly next: string;
}

/** The result of checking a specification. */
export interface SpecFindings {
  /** Why it is refused; empty when it is valid. */
  readonly problems: readonly SpecProblem[];
  /** Why the old one is refused. */
  readonly oldProblems: readonly SpecProblem[];
  /** Null unless both are valid. */
  readonly comparison: {
    /** Breaking ones first. */
    readonly changes: readonly LocatedChange[];
    readonly total: number;
    readonly breaking: number;
  } | null;
}

export interface LocatedChange extends SpecChange {
  /** In the files of its side. */
  readonly position: FilePosition;
  /** The nearest position in the new files. */
  readonly nearest: FilePosition;
}

/** Reads a specification with everything that it refers to, and compares it. May take seconds of CPU time and much memory. */
export async function checkSpec(
  { old, next }: SpecCheck,
  read: (side: Side, file: string) => ReturnType<ReadFile>,
): Promise<SpecFindings> {
  const readSide = (side: Side, entry: string) =>
    readSpec({ entry, locate: locateByPath, read: (file) => read(side, file) });
  const after = await readSide('new', next);
  const before = old === null ? null : await readSide('old', old);
  const problems = after.problems ?? [];
  const oldProblems = before?.problems ?? [];
  const isWhole = after.spec !== undefined && before?.spec !== undefined;
  return {
    problems,
    oldProblems,
    comparison: isWhole ? compare(before.spec, after.spec) : null,
  };
}

function compare(before: ReadSpec, after: ReadSpec): NonNullable<SpecFindings['comparison']> {
  const { changes, ...counts } = compareSpecs(bundleSpec(before), bundleSpec(after));
  const pointers = changes.map(({ pointer }) => pointer);
  const [inOld, inNew] = [locateInSpec(before, pointers), locateInSpec(after, pointers)];
  const placed = changes.map((change, at) => {
    const nearest = inNew[at] as FilePosition;
    return { ...change, nearest, position: change.side === 'new' ? nearest : (inOld[at] as FilePosition) };
  });
  return { changes: placed, ...counts };
}
