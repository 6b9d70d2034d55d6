/** The content engine: checks the links of files whose bytes it is passed. It does no I/O and reads no clock. */

export {
  type AnalysedSpace,
  type AnalyseOptions,
  analyseSpace,
  analyseSpaces,
  anchorsIn,
  backlinksOf,
  compareAnalyses,
  createEngine,
  detectRenames,
  detectSpaces,
  type Engine,
  type EngineOptions,
  type FactsStore,
  findReading,
  findSimilar,
  isComparable,
  linkListsOf,
  loadDialect,
  type PagePart,
  partsOfPage,
  type ReadBlobs,
  type ReadFacts,
  type ReadValues,
  readComparable,
  readFactsHere,
  readValuesHere,
  type SpacesToAnalyse,
} from './engine/index.ts';
export { factsKey, mayOverflow, mayTakeLong } from './facts/index.ts';
export type * from './model/index.ts';
export {
  checkedAmong,
  type DeclaredSpace,
  type DetectedSpace,
  type FormatName,
  type SpaceRole,
  siblingsOf,
  spacesAmong,
  unreadFacts,
} from './model/index.ts';
export { isPageFile, isSource } from './tree/index.ts';
