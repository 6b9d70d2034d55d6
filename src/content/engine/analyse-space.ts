import type { FilesOfTree, Format } from '../format-port/index.ts';
import type { FormatName, SpaceAnalysis } from '../model/index.ts';
import { analysisOfState } from './analysis-of-state.ts';
import { withConventions } from './conventions.ts';
import { openSpace, type SpaceOptions } from './open-space.ts';
import { checkSpace, type FactsOf } from './space-state.ts';
import { doAtOnce } from './steps.ts';

export interface AnalyseOptions extends SpaceOptions {
  readonly name: FormatName;
  readonly format: Format;
  /**
   * Returns the facts of a blob by a reading; undefined when it was not read, which makes links to its headings
   * unchecked. Called for the files of `filesToRead` first.
   */
  readonly factsOf: FactsOf;
  /** The configuration files that were read. */
  readonly files: FilesOfTree;
}

/** Analyses one space of a repository's tree: navigation, files, and every link with its verdict. Pure and linear. */
export function analyseSpace(options: AnalyseOptions): SpaceAnalysis {
  const state = doAtOnce(checkSpace(options, openSpace(options), options.factsOf, null));
  return doAtOnce(withConventions(analysisOfState(state)));
}
