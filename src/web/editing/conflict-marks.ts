import type { MergedPart } from '../../content/diff/index.ts';

const OPENING = '<<<<<<< yours';
const BETWEEN = '=======';
const CLOSING = '>>>>>>> saved meanwhile';

/** The text of a merge, with both versions of what the sides contradict each other about, between markers as those of git. */
export function markConflicts(parts: readonly MergedPart[]): string {
  const lines = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`);
  return parts
    .map((part) =>
      part.kind === 'merged'
        ? part.text
        : `${OPENING}\n${lines(part.ours)}${BETWEEN}\n${lines(part.theirs)}${CLOSING}\n`,
    )
    .join('');
}

/** The line, from 1, of a conflict that nobody has decided about; null where there is none. */
export function findConflict(text: string): number | null {
  const lines = text.split(/\r?\n/);
  const at = lines.indexOf(OPENING);
  const isWhole = at !== -1 && lines.indexOf(CLOSING, lines.indexOf(BETWEEN, at)) > at;
  return isWhole ? at + 1 : null;
}
