import { expandContainers } from '../../render/blocks/expand-containers.ts';
import type { Dialect } from '../../render/dialect.ts';
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
