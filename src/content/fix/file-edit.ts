import type { RepoPath } from '../model.ts';

/** Other text for a part of a file, by offsets. A file that is not there is made, from an edit at 0. */
export interface FileEdit {
  readonly file: RepoPath;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Puts the edits of one file into its text. Of edits that overlap the first counts. */
export function applyEdits(source: string, edits: readonly FileEdit[]): string {
  let text = '';
  let end = 0;
  for (const one of edits.toSorted((a, b) => a.start - b.start)) {
    if (one.start < end) continue;
    text += source.slice(end, one.start) + one.text;
    end = one.end;
  }
  return text + source.slice(end);
}
