import type { RepoPath } from '../model.ts';

/** Text that goes between two offsets of a source. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Other text for a part of a file. A file that is not there is made, from an edit at 0. */
export interface FileEdit extends Replacement {
  readonly file: RepoPath;
}

/** Puts the edits of one source into it. Of edits that overlap the first counts. */
export function applyEdits(source: string, edits: readonly Replacement[]): string {
  let text = '';
  let end = 0;
  for (const one of edits.toSorted((a, b) => a.start - b.start)) {
    if (one.start < end) continue;
    text += source.slice(end, one.start) + one.text;
    end = one.end;
  }
  return text + source.slice(end);
}
