import { setFlagsFromString } from 'node:v8';

/**
 * Lets this process collect garbage when it needs memory, and not because time has passed. 100 seconds after a collection
 * that left memory to give back, such as the last one of an import, V8 starts another one to compact the heap, however busy
 * the process is, and nobody is answered meanwhile: for a tenth of a second after an import of 10,000 pages.
 *
 * The flag that has no such collections is read before any of our code runs; how many there may be is read each time.
 */
export function disableMemoryReducer(): void {
  setFlagsFromString('--memory-reducer-gc-count=0');
}
