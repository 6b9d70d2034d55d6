import type { Element, Root } from 'hast';
import type { MarkedLines } from '../line-marks.ts';
import { BLOCKS } from './block-kinds.ts';
import type { DocumentNode, FragmentNode } from './document-nodes.ts';
import { DocumentWriter } from './document-writer.ts';
import { fitBlocks } from './fit-blocks.ts';

/**
 * Records in the elements of a page which blocks of its nodes they show. The keys are those of `toDocument`, so the tree
 * must be as that reads it: sanitised, with addresses as written, and with the marks of lines taken.
 */
export function markBlocks(tree: Root, marks: ReadonlyMap<Element, MarkedLines>): void {
  const writer = new DocumentWriter(BLOCKS, (url) => ({ kind: 'url', url }), marks);
  const visit = (node: DocumentNode | FragmentNode): void => {
    if (node.object === 'text') return;
    const shown = node.object === 'block' ? writer.elements.get(node.key) : undefined;
    if (node.object === 'block' && node.type !== 'code-line' && shown !== undefined) {
      const { key, type } = node;
      shown.data = { ...shown.data, blocks: [...(shown.data?.blocks ?? []), { key, type }] };
    }
    for (const inner of node.nodes) visit(inner);
    if (node.object === 'block') for (const fragment of node.fragments ?? []) visit(fragment);
  };
  for (const node of fitBlocks(writer, writer.document(tree.children))) visit(node);
}
