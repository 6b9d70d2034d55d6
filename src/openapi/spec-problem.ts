/** What is wrong with a description of an API, and where. */
export interface SpecProblem {
  readonly code: SpecProblemCode;
  /** One sentence without the place. */
  readonly message: string;
  /** The file, as `SpecFiles` names it. */
  readonly file: string;
  /** A JSON pointer into the file (RFC 6901). Absent where the text is no JSON and no YAML. */
  readonly pointer?: string;
  /** Counted from 1. Absent where the file itself is missing or too large to be read. */
  readonly line?: number;
  /** Counted from 1, in UTF-16 code units. */
  readonly column?: number;
}

export type SpecProblemCode =
  | 'TOO_LARGE'
  | 'TIMEOUT'
  | 'INVALID_SYNTAX'
  | 'UNSUPPORTED_VERSION'
  | 'INVALID_STRUCTURE'
  | 'UNRESOLVED_REFERENCE';

/** The problem with its place, as people read it: `openapi.yaml:12:3 (/paths/~1pets): …`. */
export function sayProblem({ file, pointer, line, column, message }: SpecProblem): string {
  const place = `${file}${line === undefined ? '' : `:${line}:${column ?? 1}`}`;
  return `${place}${pointer === undefined || pointer === '' ? '' : ` (${pointer})`}: ${message}`;
}
