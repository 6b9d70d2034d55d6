import { createEngine, type Engine } from '../../content/index.ts';
import { contentThreads } from '../../threads/index.ts';
import { ContentCache } from './content-cache.ts';
import { FormatCache } from './find-format.ts';

/** The engine and the caches for deriving content, shared by the whole process. */
export interface Deriver {
  /** The engine of a space: what it read for one is not used for another. */
  engineOf(space: { readonly id: string }): Engine;
  readonly contents: ContentCache;
  readonly formats: FormatCache;
}

export function createDeriver(): Deriver {
  const engine = createEngine({ readFacts: contentThreads.readFacts, readValues: contentThreads.readValues });
  return {
    engineOf: ({ id }) => engine.within(id),
    contents: new ContentCache(),
    formats: new FormatCache(),
  };
}
