import { createEngine, type Engine } from '../../content/index.ts';
import { ContentMemory } from './content-memory.ts';
import { FormatMemory } from './find-format.ts';

/** The engine and the memories that content is derived with, shared by the whole process. */
export interface Deriver {
  readonly engine: Engine;
  readonly memory: ContentMemory;
  readonly formats: FormatMemory;
}

export function createDeriver(): Deriver {
  return { engine: createEngine(), memory: new ContentMemory(), formats: new FormatMemory() };
}
