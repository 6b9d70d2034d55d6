import { expandContainers } from '../../render/blocks/expand-containers.ts';
import type { Dialect } from '../../render/dialect.ts';
import { vitepressReading } from './vitepress-reading.ts';

const dialect: Dialect = {
  reading: vitepressReading,
  math: 'strict',
  hasAttributeLists: true,
  expand: expandContainers,
};

export const vitepressDialect = (): Dialect => dialect;
