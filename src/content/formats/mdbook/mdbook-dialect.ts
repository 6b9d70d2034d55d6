import type { Dialect } from '../../render/dialect.ts';
import { chapterReading } from './mdbook-reading.ts';

const dialect: Dialect = {
  reading: chapterReading,
  math: 'double',
  hasDefinitionLists: true,
  named: 'term',
  footnoteIds: (label) => [label, `footnote-${label}`],
};

export const mdbookDialect = (): Dialect => dialect;
