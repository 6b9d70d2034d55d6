import { createEngine, type Engine } from '../../content/index.ts';
import { ContentCache } from './content-cache.ts';
import { FormatCache } from './find-format.ts';

/** The engine and the caches for deriving content, shared by the whole process. */
export interface Deriver {
  readonly engine: Engine;
  readonly contents: ContentCache;
  readonly formats: FormatCache;
}

export function createDeriver(): Deriver {
  return { engine: createEngine(), contents: new ContentCache(), formats: new FormatCache() };
}
