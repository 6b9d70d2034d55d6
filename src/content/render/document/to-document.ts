import type { Root } from 'hast';
import { takeLineMarks } from '../line-marks.ts';
import { type PageOptions, renderTree } from '../render-page.ts';
import { BLOCKS } from './block-kinds.ts';
import type { DocumentTree, NodeData } from './document-nodes.ts';
import { DocumentWriter } from './document-writer.ts';
import { fitBlocks } from './fit-blocks.ts';

export interface DocumentOptions extends PageOptions {
  /** Returns what a target (as written) leads to, as plain JSON; `{ kind: 'url', url }` is used when absent or null. */
  readonly referTo?: (target: string) => NodeData | null;
}

/** Incremented when the meaning of nodes changes. */
const SCHEMA_VERSION = 2;

/**
 * Returns a page as nodes: blocks, inlines, texts with marks. They are created from the same sanitised tree as the HTML,
 * so that both contain the same text.
 *
 * @throws {RenderLimitError} when reading the page would take unreasonable time or memory
 */
export async function toDocument(markdown: string, options: DocumentOptions = {}): Promise<DocumentTree> {
  return documentOf(await renderTree(markdown, options), options);
}

function documentOf(tree: Root, { referTo }: DocumentOptions): DocumentTree {
  const refer = (target: string): NodeData => {
    if (target.startsWith('#')) return { kind: 'anchor', anchor: decode(target.slice(1)) };
    return referTo?.(target) ?? { kind: 'url', url: target };
  };
  const writer = new DocumentWriter(BLOCKS, refer, takeLineMarks(tree));
  const nodes = fitBlocks(writer, writer.document(tree.children));
  return { object: 'document', data: { schemaVersion: SCHEMA_VERSION }, nodes };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
