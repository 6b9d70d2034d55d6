/** The content engine: bytes come in, findings go out. It does no I/O and keeps no clock. */

export { type AnalyseOptions, analyseSpace } from './engine/analyse-space.ts';
export { anchorsIn, joinParts, linkListsOf } from './engine/analysis-of-state.ts';
export { backlinksOf } from './engine/backlinks.ts';
export { compareAnalyses } from './engine/compare-analyses.ts';
export { detectRenames } from './engine/detect-renames.ts';
export { detectSpaces } from './engine/detect-spaces.ts';
export { createEngine, type Engine, type EngineOptions } from './engine/engine.ts';
export type { FactsStore } from './engine/facts-store.ts';
export { findSimilar, type TextFile } from './engine/find-similar.ts';
export { type PagePart, partsOfPage } from './engine/page-parts.ts';
export type { ReadBlobs } from './engine/read-texts.ts';
export { factsKey } from './facts/markdown-reading.ts';
export {
  checkedAmong,
  type DeclaredSpace,
  type DetectedSpace,
  type SpaceRole,
  siblingsOf,
  spacesAmong,
} from './model/detected-space.ts';
export type { FormatName } from './model/format-name.ts';
export type * from './model/model.ts';
export { isPageFile, isSource } from './tree/page-files.ts';
