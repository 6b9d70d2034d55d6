import type { FileFacts } from '../model/index.ts';

/** A position in a text where the builder inserts a file. */
export interface Include {
  /** Offsets of what the file's text replaces. */
  readonly start: number;
  readonly end: number;
  /** The file, as the facts of the text name it. */
  readonly target: string;
  /** Returns the part of the file that is inserted; null when the file has no such part. */
  readonly extract: (part: PartSource) => IncludedLines | null;
}

/** The included file. */
export interface PartSource {
  readonly text: string;
  /** Its facts when it is read as the page is. */
  readonly facts: () => FileFacts;
}

export type IncludedLines =
  /** Lines of the file, which may include further files. */
  | {
      readonly kind: 'lines';
      readonly covers: (line: number) => boolean;
      /** Written before each line but the first. */
      readonly indent?: string;
      /** True to add empty lines before and after. */
      readonly isApart?: boolean;
    }
  /** A block of code from the file. */
  | { readonly kind: 'code'; readonly text: string; readonly indent?: string };

/** The includes of a text, and the markers to remove from it. */
export interface Includes {
  readonly includes: readonly Include[];
  /** Offsets of markers that only the builder reads. */
  readonly marks?: readonly { readonly start: number; readonly end: number }[];
}

export type FindIncludes = (source: string) => Includes;

export const allLines = (): boolean => true;

/** Returns a predicate for the line numbers between two, both inclusive. */
export function linesBetween(first: number, last: number): (line: number) => boolean {
  return (line) => line >= first && line <= last;
}

/** Wraps code in a fence that is longer than any in the code. */
export function fenced(code: string, info: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`{3,}/g)].map(([backticks]) => backticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${info}\n${code.replace(/\r?\n$/, '')}\n${fence}`;
}
