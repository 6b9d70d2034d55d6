import type { ReadFile } from '../../openapi/index.ts';
import type { Side, SpecCheck, SpecFindings } from './check-spec.ts';

/** What a file is; see `ReadFile`. */
export type FileAnswer = Awaited<ReturnType<ReadFile>>;

/** A description to judge, or the answer to a question. */
export type ToSpecThread =
  | { readonly task: SpecCheck }
  | { readonly side: Side; readonly file: string; readonly answer: FileAnswer };

export type FromSpecThread =
  | { readonly side: Side; readonly file: string }
  | { readonly findings: SpecFindings }
  /** A fault of our own. */
  | { readonly fault: Error };
