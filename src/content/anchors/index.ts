/** Where what was said about a page stands after the page was changed. Pure, and without knowledge of comments. */
export { type AnchorBlock, blocksOf, enclosingBlocks, MAX_BLOCKS, quoteOf } from './blocks-of.ts';
export { followBlocks } from './follow-blocks.ts';
export { type AnchoredThread, followThreads } from './follow-threads.ts';
