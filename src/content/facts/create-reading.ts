import type { Reading, ReadingOptions } from './reading.ts';

/** The reading of pages with these options. */
export function createReading(options: ReadingOptions): Reading {
  return {
    key: options.key,
    options,
    async load() {
      const { readPage } = await import('./read-page.ts');
      return (bytes) => readPage(bytes, options);
    },
  };
}
