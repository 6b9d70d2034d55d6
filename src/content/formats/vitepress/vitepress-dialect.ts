import { type Dialect, expandContainers } from '../../dialect/index.ts';
import { readVitepressHero } from './vitepress-hero.ts';
import { vitepressIncludes } from './vitepress-includes.ts';
import { vitepressReading } from './vitepress-reading.ts';

const dialect: Dialect = {
  reading: vitepressReading,
  math: 'strict',
  hasAttributeLists: true,
  hasEmojiNames: true,
  readHero: readVitepressHero,
  expand: expandContainers,
  findIncludes: vitepressIncludes,
  movesLinks: true,
};

export const vitepressDialect = (): Dialect => dialect;
