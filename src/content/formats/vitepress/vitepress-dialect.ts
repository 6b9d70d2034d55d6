import { type Dialect, expandContainers } from '../../dialect/index.ts';
import { vitepressIncludes } from './vitepress-includes.ts';
import { vitepressReading } from './vitepress-reading.ts';

const dialect: Dialect = {
  reading: vitepressReading,
  math: 'strict',
  hasAttributeLists: true,
  expand: expandContainers,
  findIncludes: vitepressIncludes,
  movesLinks: true,
};

export const vitepressDialect = (): Dialect => dialect;
