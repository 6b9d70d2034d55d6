export { type AnalyseOptions, analyseSpace } from './analyse-space.ts';
export { type AnalysedSpace, analyseSpaces, type SpacesToAnalyse } from './analyse-spaces.ts';
export {
  anchorsIn,
  checkedFileIn,
  checkReferenceIn,
  generatorOf,
  joinParts,
  linkListsOf,
  recheckWithoutGenerators,
  withLinks,
  writeReferenceIn,
} from './analysis-of-state.ts';
export { backlinksOf } from './backlinks.ts';
export { compareAnalyses } from './compare-analyses.ts';
export { brokenWithoutConventions, shareConventions } from './conventions.ts';
export { detectRenames } from './detect-renames.ts';
export { detectSpaces } from './detect-spaces.ts';
export { createEngine, type Engine, type EngineOptions } from './engine.ts';
export type { FactsStore } from './facts-store.ts';
export { findSimilar } from './find-similar.ts';
export { type ReadFacts, readFactsHere } from './gather-facts.ts';
export { findReading, loadDialect } from './load-dialect.ts';
export { type PagePart, partsOfPage } from './page-parts.ts';
export { isComparable, readComparable } from './read-comparable.ts';
export { type ReadBlobs, type ReadValues, readValuesHere, untilRead } from './read-texts.ts';
export { doAtOnce, doInTurns, type Steps } from './steps.ts';
export { suggestRenamedHeadings } from './suggest-renamed-headings.ts';
