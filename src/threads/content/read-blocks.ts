import { type AnchorBlock, blocksOf, enclosingBlocks } from '../../content/anchors/index.ts';
import { type DocumentPage, writeDocument } from './show-pages.ts';

/** The blocks of a page that comments can stand on. */
export interface ReadBlocks {
  readonly blocks: readonly AnchorBlock[];
  /** The key of each node with that of its block; empty where nobody asked. */
  readonly nodes: readonly (readonly [node: string, block: string])[];
}

export async function readBlocks(page: DocumentPage, hasNodes: boolean): Promise<ReadBlocks> {
  const tree = await writeDocument(page);
  return { blocks: blocksOf(tree), nodes: hasNodes ? [...enclosingBlocks(tree)] : [] };
}
