import type { Reading, ReadingOptions } from '../parse/index.ts';

/** Creates the reading of pages with these options. */
export function createReading(options: ReadingOptions): Reading {
  return {
    key: options.key,
    options,
    async load() {
      const { readPage } = await import('../parse/index.ts');
      return (bytes) => readPage(bytes, options);
    },
  };
}
