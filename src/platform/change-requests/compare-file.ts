import type { ChangedFile, FileComparison } from '../../contract/index.ts';
import type { SpaceRow } from '../../store/index.ts';
import { contentThreads, PageLimitError, PageNotRead } from '../../threads/index.ts';
import type { PlatformDeps } from '../deps.ts';
import { readChangedTexts, type ShownText } from './read-texts.ts';

/** Lines of all hunks; a file with more is not shown line by line. */
const MAX_LINES = 5_000;

/** Compares the text of a file with that of the base. */
export async function compareFile(
  deps: PlatformDeps,
  space: SpaceRow,
  file: ChangedFile,
): Promise<FileComparison> {
  const oids = [file.before?.oid, file.after?.oid].flatMap((oid) => oid ?? []);
  const texts = await readChangedTexts(deps, space.id, oids);
  const textOf = (blob: ChangedFile['before']): ShownText =>
    blob === undefined ? { text: '' } : (texts.get(blob.oid) ?? { text: '' });
  const [before, after] = [textOf(file.before), textOf(file.after)];
  const nothing = { object: 'file-comparison', file, added: 0, removed: 0, hunks: [] } as const;
  if ('problem' in before) return { ...nothing, hunks: [], problem: before.problem };
  if ('problem' in after) return { ...nothing, hunks: [], problem: after.problem };
  try {
    const { added, removed, hunks } = await contentThreads.compareTexts(before.text, after.text);
    const lines = hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
    if (lines > MAX_LINES) {
      const problem = `More than ${MAX_LINES} lines differ.`;
      return { ...nothing, added, removed, hunks: [], problem };
    }
    return { ...nothing, added, removed, hunks: hunks as FileComparison['hunks'] };
  } catch (error) {
    if (!(error instanceof PageLimitError || error instanceof PageNotRead)) throw error;
    return { ...nothing, hunks: [], problem: error.message };
  }
}
