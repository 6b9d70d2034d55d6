/** The content engine: bytes come in, findings go out. It does no I/O and keeps no clock. */

export { type AnalyseOptions, analyseSpace } from './analyse-space.ts';
export { backlinksOf } from './backlinks.ts';
export { compareAnalyses } from './compare-analyses.ts';
export { detectRenames } from './detect-renames.ts';
export { createEngine, type Engine, type EngineOptions } from './engine.ts';
export { factsKey } from './facts/markdown-reading.ts';
export type { FactsStore } from './facts-store.ts';
export { findSimilar, type TextFile } from './find-similar.ts';
export { detectSpaces } from './formats/detect-spaces.ts';
export {
  checkedAmong,
  type DeclaredSpace,
  type DetectedSpace,
  type SpaceRole,
  siblingsOf,
  spacesAmong,
} from './formats/detected-space.ts';
export type { FormatName } from './formats/index.ts';
export { anchorsIn, joinParts, linkListsOf } from './incremental/analysis-of-state.ts';
export type * from './model.ts';
export { type PagePart, partsOfPage } from './page-parts.ts';
export type { ReadBlobs } from './read-texts.ts';
export { isPageFile, isSource } from './tree/page-files.ts';
