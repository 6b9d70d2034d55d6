import type { SpecOutcome, SpecTask } from './process-spec.ts';

/** A description to read, or a file that the thread asked for. */
export type ToThread =
  | { readonly task: SpecTask }
  | {
      readonly file: string;
      readonly answer: { readonly text: string } | { readonly problem: string };
    };

export type FromThread =
  | { readonly read: string }
  | { readonly outcome: SpecOutcome }
  /** A fault of our own. */
  | { readonly fault: Error };
