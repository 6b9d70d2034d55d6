import type { FileFacts } from '../model/index.ts';

/** A place in a text where the builder puts in a file. */
export interface Include {
  /** Offsets of what the file's text replaces. */
  readonly start: number;
  readonly end: number;
  /** The file, as the facts of the text name it. */
  readonly target: string;
  /** What of the file stands there; null when it has no such part. */
  readonly take: (part: PartSource) => IncludedLines | null;
}

/** The file that is put in. */
export interface PartSource {
  readonly text: string;
  /** What it says of itself when it is read as the page is. */
  readonly facts: () => FileFacts;
}

export type IncludedLines =
  /** Lines of the file, which may take in other files themselves. */
  | {
      readonly kind: 'lines';
      readonly covers: (line: number) => boolean;
      /** What stands before each line but the first. */
      readonly indent?: string;
      /** Empty lines are before and after it. */
      readonly isApart?: boolean;
    }
  /** A block of code that is made of it. */
  | { readonly kind: 'code'; readonly text: string; readonly indent?: string };

/** All places of a text where something is put in or taken out. */
export interface Includes {
  readonly includes: readonly Include[];
  /** Offsets of marks that only the builder reads. */
  readonly marks?: readonly { readonly start: number; readonly end: number }[];
}

export type FindIncludes = (source: string) => Includes;

export const allLines = (): boolean => true;

/** The lines of a text between two line numbers, both of them taken. */
export function linesBetween(first: number, last: number): (line: number) => boolean {
  return (line) => line >= first && line <= last;
}

/** A fence around code, longer than any that the code holds. */
export function fenced(code: string, info: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`{3,}/g)].map(([signs]) => signs.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${info}\n${code.replace(/\r?\n$/, '')}\n${fence}`;
}
