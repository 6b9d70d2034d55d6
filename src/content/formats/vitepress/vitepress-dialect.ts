import type { Dialect } from '../../dialect/dialect.ts';
import { expandContainers } from '../../dialect/expand-containers.ts';
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
