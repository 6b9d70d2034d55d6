import type { FileEdit } from '../../text/index.ts';
import { CONTENTS, type WorseLink } from './find-worse.ts';
import type { PlannedTexts, PlannedTree } from './planned-tree.ts';

/** Entries that are removed from a table of contents, and where they may be needed. */
export interface ContentsChange {
  readonly edits: readonly FileEdit[];
  readonly byHand: readonly { readonly file: string; readonly line: number; readonly message: string }[];
}

const ENTRY = /^[ \t]*[*+-][ \t]+\[[^\n]*\]\([^\n]*\)[ \t]*$/;

/**
 * A page that moves to another book or space leaves its table of contents too: the entry's line is removed if it is a
 * single line without entries below it. Where the page shall be listed then is left to people.
 */
export async function planContents(
  worse: readonly WorseLink[],
  planned: PlannedTree,
  {
    to,
    texts,
    files,
  }: { readonly to: string | null; readonly texts: PlannedTexts; readonly files: readonly string[] },
): Promise<ContentsChange> {
  const edits: FileEdit[] = [];
  for (const { newFile, line } of worse) {
    if (!CONTENTS.test(newFile)) continue;
    const text = texts.get(newFile)?.after ?? (await planned.textAt(newFile)) ?? '';
    const lines = text.split(/(?<=\n)/);
    const [entry = '', next = ''] = lines.slice(line - 1);
    if (!ENTRY.test(entry.trimEnd()) || indentOf(next) > indentOf(entry)) continue;
    const start = lines.slice(0, line - 1).join('').length;
    edits.push({ file: newFile, start, end: start + entry.length, text: '' });
  }
  if (edits.length === 0) return { edits, byHand: [] };
  const own = to === null ? null : contentsAbove(to, files);
  const text = own === null || edits.some((edit) => edit.file === own) ? null : await planned.textAt(own);
  if (own === null || text === null) return { edits, byHand: [] };
  const message = `list ${to} where readers shall find it`;
  return { edits, byHand: [{ file: own, line: text.trimEnd().split('\n').length, message }] };
}

/** A blank line is not below any entry. */
function indentOf(line: string): number {
  return line.trim() === '' ? 0 : line.length - line.trimStart().length;
}

/** The table of contents of the innermost folder around a path that has one. */
export function contentsAbove(path: string, files: readonly string[]): string | null {
  const all = files.filter(
    (file) => CONTENTS.test(file) && path.startsWith(file.slice(0, file.lastIndexOf('/') + 1)),
  );
  return all.sort((a, b) => b.length - a.length)[0] ?? null;
}
