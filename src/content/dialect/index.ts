export { type Block, BlockList, MARKER } from './block-list.ts';
export type { Dialect, FindDialect } from './dialect.ts';
export { expandContainers } from './expand-containers.ts';
export { expandIndented } from './expand-indented.ts';
export { expandTags } from './expand-tags.ts';
export type { Hero, HeroAction, HeroFeature, HeroImage } from './hero.ts';
export {
  allLines,
  fenced,
  type Include,
  type IncludedLines,
  type Includes,
  linesBetween,
  type PartSource,
} from './include.ts';
export { mdxIncludes } from './mdx-includes.ts';
export { type SourcePosition, SourceText } from './source-text.ts';
export { findTags, type Tag } from './tag-blocks.ts';
