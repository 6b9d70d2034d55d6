/** A problem in an API description, and where it is. */
export interface SpecProblem {
  readonly code: SpecProblemCode;
  /** One sentence, without the location. */
  readonly message: string;
  /** The file: a path or a URL. */
  readonly file: string;
  /** A JSON pointer into the file (RFC 6901). Absent when the text is neither JSON nor YAML. */
  readonly pointer?: string;
  /** Counted from 1. Absent when the file itself is missing or too large to be read. */
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

/** The problem with its location, for people: `openapi.yaml:12:3 (/paths/~1pets): …`. */
export function formatSpecProblem({ file, pointer, line, column, message }: SpecProblem): string {
  const location = `${file}${line === undefined ? '' : `:${line}:${column ?? 1}`}`;
  return `${location}${pointer === undefined || pointer === '' ? '' : ` (${pointer})`}: ${message}`;
}
