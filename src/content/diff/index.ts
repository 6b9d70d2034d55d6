/** Differences that people read: of texts and of rendered pages; loaded where somebody reviews. */

export { comparePages, type PageDifference } from './compare-pages.ts';
export {
  compareTexts,
  type DiffHunk,
  type DiffLine,
  type LineSpan,
  type TextDifference,
} from './compare-texts.ts';
export { matchLines } from './match-lines.ts';
export { type MergedPart, mergedText, mergeTexts } from './merge-texts.ts';
