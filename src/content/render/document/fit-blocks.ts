import type { BlockNode, DocumentNode, FragmentNode } from './document-nodes.ts';
import type { DocumentWriter } from './document-writer.ts';

const ESSENTIALS = [
  'paragraph',
  'heading-1',
  'heading-2',
  'heading-3',
  'list-ordered',
  'list-unordered',
  'list-tasks',
  'divider',
] as const;

const IN_STEPS = [
  ...ESSENTIALS,
  'content-ref',
  'code',
  'embed',
  'file',
  'images',
  'hint',
  'blockquote',
  'math',
] as const;

const IN_ITEMS: ReadonlySet<string> = new Set([...ESSENTIALS, 'code', 'hint', 'blockquote', 'math', 'table']);

/** What each block or fragment may contain in the published description of the API; others may contain everything. */
const CONTENTS: Readonly<Record<string, ReadonlySet<string>>> = {
  document: new Set([...IN_STEPS, 'expandable', 'tabs', 'table', 'reusable-content', 'stepper']),
  hint: new Set(ESSENTIALS),
  blockquote: new Set([...ESSENTIALS, 'blockquote']),
  'list-item': IN_ITEMS,
  'tabs-item': new Set(IN_STEPS),
  'stepper-step': new Set(IN_STEPS),
  column: new Set([...IN_STEPS, 'table']),
  'expandable-body': new Set([
    ...ESSENTIALS,
    'images',
    'code',
    'table',
    'hint',
    'blockquote',
    'reusable-content',
  ]),
};

type Allowed = ReadonlySet<string> | undefined;

/**
 * Returns the blocks of a document so that each contains only what the published description allows. What a block may not
 * contain becomes the only item of a list, if an item may, and else the blocks that it consists of. Texts, links, anchors
 * and their order stay.
 */
export function fitBlocks(writer: DocumentWriter, blocks: readonly BlockNode[]): BlockNode[] {
  return new Fitting(writer).list(blocks, CONTENTS['document']);
}

class Fitting {
  readonly #writer: DocumentWriter;

  constructor(writer: DocumentWriter) {
    this.#writer = writer;
  }

  list(blocks: readonly BlockNode[], allowed: Allowed): BlockNode[] {
    const fitting: BlockNode[] = [];
    for (const block of blocks) this.#add(fitting, block, allowed);
    return fitting;
  }

  #add(to: BlockNode[], block: BlockNode, allowed: Allowed): void {
    if (allowed === undefined || allowed.has(block.type)) {
      to.push(this.#within(block));
      return;
    }
    if (IN_ITEMS.has(block.type)) {
      const item = this.#writer.block('list-item', [this.#within(block)]);
      to.push(this.#writer.block('list-unordered', [item]));
      return;
    }
    const start = to.length;
    this.#addParts(to, block, allowed);
    if (block.meta === undefined) return;
    if (to.length === start) to.push(this.#writer.block('paragraph', []));
    to[start] = withAnchors(to[start] as BlockNode, block.meta);
  }

  /** Adds the blocks that a block consists of. */
  #addParts(to: BlockNode[], block: BlockNode, allowed: Allowed): void {
    const { type, data, fragments = [] } = block;
    if (type === 'stepper') {
      const items = blocksOf(block).map((step) => this.#within({ ...step, type: 'list-item' }));
      to.push(this.#writer.block('list-ordered', items));
      return;
    }
    if (type === 'image') {
      to.push(this.#writer.block('paragraph', [this.#writer.inline('inline-image', [], data, true)]));
    }
    const title = data['title'];
    if (typeof title === 'string') {
      const leaf = { object: 'leaf' as const, text: title, marks: [] };
      to.push(this.#writer.block('paragraph', [this.#writer.text([leaf])]));
    }
    for (const part of [...fragments, block]) {
      for (const inner of blocksOf(part)) this.#add(to, inner, allowed);
    }
    // What shows something else has its link in its text, unless that is empty.
    const { ref } = data;
    if (type !== 'image' && ref !== undefined && block.nodes.length === 0) {
      to.push(this.#writer.block('paragraph', [this.#writer.inline('link', [], { ref })]));
    }
  }

  /** The block with fitting contents. */
  #within(block: BlockNode): BlockNode {
    const { fragments } = block;
    const nodes = this.#nodes(block.nodes, CONTENTS[block.type]);
    if (fragments === undefined) return { ...block, nodes };
    return {
      ...block,
      nodes,
      fragments: fragments.map(
        (fragment): FragmentNode => ({
          ...fragment,
          nodes: this.list(fragment.nodes, CONTENTS[fragment.type]),
        }),
      ),
    };
  }

  #nodes(nodes: readonly DocumentNode[], allowed: Allowed): readonly DocumentNode[] {
    return nodes.every((node) => node.object === 'block') ? this.list(nodes, allowed) : nodes;
  }
}

function blocksOf({ nodes }: { readonly nodes: readonly DocumentNode[] }): readonly BlockNode[] {
  return nodes.filter((node) => node.object === 'block');
}

/** The block with the anchors of the one that it stands for. */
function withAnchors(block: BlockNode, { id, aliases = [] }: NonNullable<BlockNode['meta']>): BlockNode {
  const { meta } = block;
  const further = [...aliases, ...(meta === undefined ? [] : [meta.id, ...(meta.aliases ?? [])])];
  return { ...block, meta: { id, ...(further.length === 0 ? {} : { aliases: further }) } };
}
