import { type Dialect, expandTags } from '../../dialect/index.ts';
import { gitbookIncludes } from './gitbook-includes.ts';
import { gitbookReading } from './gitbook-reading.ts';

const dialect: Dialect = {
  reading: gitbookReading,
  // A single `$` is a currency sign.
  math: 'double',
  hasEmojiNames: true,
  expand: expandTags,
  findIncludes: gitbookIncludes,
  movesLinks: true,
  named: 'tab-title',
};

export const gitbookDialect = (): Dialect => dialect;
