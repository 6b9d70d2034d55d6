import type { RepoPath } from '../model/index.ts';

/** Text that replaces what is between two offsets of a source, in UTF-16 code units; `end` is exclusive. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A replacement in a file. An edit at 0 creates a file that does not exist. */
export interface FileEdit extends Replacement {
  readonly file: RepoPath;
}

/** New entries in a file of a tree, planned without regard to other edits. */
export interface EntriesEdit extends FileEdit {
  /** True when the edit creates the file. */
  readonly isNew: boolean;
}

/** Returns the first edit of each file. Others were planned for the same text and must be planned again after it. */
export function firstOfEachFile<Edit extends FileEdit>(edits: readonly Edit[]): ReadonlyMap<RepoPath, Edit> {
  return new Map(edits.toReversed().map((edit) => [edit.file, edit]));
}

/** Applies the edits of one source. Of overlapping edits, the first by position is applied. */
export function applyEdits(source: string, edits: readonly Replacement[]): string {
  let text = '';
  let end = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    if (edit.start < end) continue;
    text += source.slice(end, edit.start) + edit.text;
    end = edit.end;
  }
  return text + source.slice(end);
}
