import type { Element, Nodes, RootContent } from 'hast';
import { hasClass, textOf } from '../hast-elements.ts';
import type { MarkedLines } from '../line-marks.ts';
import type {
  BlockNode,
  BlockType,
  DocumentNode,
  FragmentNode,
  InlineNode,
  InlineType,
  LeafNode,
  MarkType,
  NodeData,
  TextNode,
} from './document-nodes.ts';
import { formulaOf, isBlock } from './element-kinds.ts';

const MARKS: Readonly<Record<string, MarkType>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  dfn: 'italic',
  s: 'strikethrough',
  del: 'strikethrough',
  strike: 'strikethrough',
  code: 'code',
  samp: 'code',
  tt: 'code',
  var: 'code',
  kbd: 'keyboard',
  sup: 'superscript',
  sub: 'subscript',
  mark: 'color',
};

const MARK_DATA: Readonly<Partial<Record<MarkType, NodeData>>> = {
  color: { text: 'default', background: 'yellow' },
};

type Marks = readonly MarkType[];

/** A kind of block: which elements are of this kind, and how they are written. */
export interface BlockKind {
  readonly matches: (element: Element) => boolean;
  readonly write: (writer: DocumentWriter, element: Element, marks: Marks) => BlockNode[];
}

/** Writes the nodes of one document; keys count up from 1. The tree's depth is bounded, see `checkTree`. */
export class DocumentWriter {
  readonly refer: (target: string) => NodeData;
  /** By the `code` of their block. */
  readonly markedLines: ReadonlyMap<Element, MarkedLines>;
  /** The element that each block was written from, by its key; a block of loose text has the one that it stands in. */
  readonly elements = new Map<string, Element>();
  readonly #kinds: readonly BlockKind[];
  /** The elements that are being written, the innermost last. */
  readonly #open: Element[] = [];
  #key = 0;
  /** Anchors that stand in the text: they become those of the next block that is written. */
  #anchors: string[] = [];

  constructor(
    kinds: readonly BlockKind[],
    refer: (target: string) => NodeData,
    markedLines: ReadonlyMap<Element, MarkedLines>,
  ) {
    this.#kinds = kinds;
    this.refer = refer;
    this.markedLines = markedLines;
  }

  /** Writes a whole document. */
  document(children: readonly RootContent[]): BlockNode[] {
    const blocks = this.blocks(children);
    return this.#anchors.length === 0 ? blocks : [...blocks, this.block('paragraph', [])];
  }

  /** Writes children as blocks. Text outside of blocks becomes a paragraph. */
  blocks(children: readonly RootContent[], marks: Marks = []): BlockNode[] {
    const blocks: BlockNode[] = [];
    let words: RootContent[] = [];
    const flush = () => {
      const nodes = this.inlines(words, marks);
      if (nodes.some((node) => node.object !== 'text') || words.some(hasText))
        blocks.push(this.block('paragraph', nodes));
      words = [];
    };
    for (const child of children) {
      if (child.type !== 'element' || !isBlock(child)) {
        words.push(child);
        continue;
      }
      flush();
      const write = this.#kinds.find(({ matches }) => matches(child))?.write;
      const mark = MARKS[child.tagName];
      const inner = mark === undefined ? marks : [...marks, mark];
      blocks.push(
        ...this.inside(child, () =>
          write === undefined ? this.blocks(child.children, inner) : write(this, child, marks),
        ),
      );
    }
    flush();
    return blocks;
  }

  /** Writes children as text and inlines. Of a block among them, only the content is written. */
  inlines(children: readonly RootContent[], marks: Marks = []): DocumentNode[] {
    const nodes: DocumentNode[] = [];
    let leaves: LeafNode[] = [];
    const flush = () => {
      if (leaves.length > 0) nodes.push(this.text(leaves));
      leaves = [];
    };
    const stack: { readonly node: RootContent; readonly marks: Marks }[] = [];
    const push = (list: readonly RootContent[], own: Marks) => {
      for (const node of list.toReversed()) stack.push({ node, marks: own });
    };
    push(children, marks);
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const { node, marks: own } = next;
      if (node.type === 'text') leaves.push(leafOf(node.value, own));
      if (node.type !== 'element') continue;
      const inline = this.#inline(node, own);
      if (inline !== null) {
        flush();
        nodes.push(inline);
        continue;
      }
      if (node.tagName === 'br') leaves.push(leafOf('\n', own));
      const { id } = node.properties;
      if (typeof id === 'string' && ['a', 'span'].includes(node.tagName)) this.#anchors.push(id);
      const mark = MARKS[node.tagName];
      const inner = mark === undefined || own.includes(mark) ? own : [...own, mark];
      // A line break separates the texts of two blocks.
      if (isBlock(node)) stack.push({ node: { type: 'text', value: '\n' }, marks: own });
      push(node.children, inner);
    }
    flush();
    return nodes;
  }

  /** Writes blocks of an element. */
  inside<Written>(element: Element, write: () => Written): Written {
    this.#open.push(element);
    const written = write();
    this.#open.pop();
    return written;
  }

  block(
    type: BlockType,
    nodes: readonly DocumentNode[],
    data: NodeData = {},
    more: {
      readonly id?: unknown;
      readonly isVoid?: boolean;
      readonly fragments?: readonly FragmentNode[];
    } = {},
  ): BlockNode {
    const [id, ...aliases] = [
      ...(typeof more.id === 'string' ? [more.id] : []),
      // A line of code has none.
      ...(type === 'code-line' ? [] : this.#anchors.splice(0)),
    ];
    const key = this.#nextKey();
    const element = this.#open.at(-1);
    if (element !== undefined) this.elements.set(key, element);
    return {
      object: 'block',
      type,
      key,
      isVoid: more.isVoid ?? false,
      data,
      ...(id === undefined ? {} : { meta: { id, ...(aliases.length === 0 ? {} : { aliases }) } }),
      nodes,
      ...(more.fragments === undefined ? {} : { fragments: more.fragments }),
    };
  }

  inline(type: InlineType, nodes: readonly DocumentNode[], data: NodeData, isVoid = false): InlineNode {
    return { object: 'inline', type, key: this.#nextKey(), isVoid, data, nodes };
  }

  fragment(type: string, fragment: string, nodes: readonly BlockNode[]): FragmentNode {
    return { object: 'fragment', key: this.#nextKey(), type, fragment, nodes };
  }

  text(leaves: readonly LeafNode[]): TextNode {
    return { object: 'text', key: this.#nextKey(), leaves };
  }

  #inline(element: Element, marks: Marks): InlineNode | null {
    const { tagName, properties, children } = element;
    if (tagName === 'img') return this.inline('inline-image', [], this.imageData(element), true);
    if (hasClass(element, 'math')) {
      const formula = formulaOf(textOf(element));
      return this.inline('inline-math', this.inlines(children, marks), { formula }, true);
    }
    const { href, id } = properties;
    if (tagName !== 'a' || typeof href !== 'string') return null;
    if (typeof id === 'string') this.#anchors.push(id);
    const ref = this.refer(href);
    const nodes = this.inlines(children, marks);
    if (!hasClass(element, 'button')) return this.inline('link', nodes.flatMap(textsAndImages), { ref });
    const label = textOf(element).trim();
    return this.inline('button', nodes, { label, kind: 'primary', ref }, true);
  }

  imageData({ properties }: Element): NodeData {
    const { src, alt, title, width, height } = properties;
    const target = typeof src === 'string' ? src : '';
    const ref = this.refer(target);
    const lengths = { width: lengthOf(width), height: lengthOf(height) };
    return {
      ref: ref['kind'] === 'file' ? ref : { kind: 'url', url: target },
      ...(typeof alt === 'string' && alt !== '' ? { alt } : {}),
      ...(typeof title === 'string' && title !== '' ? { caption: title } : {}),
      ...Object.fromEntries(Object.entries(lengths).filter(([, length]) => length !== null)),
    };
  }

  #nextKey(): string {
    this.#key += 1;
    return this.#key.toString(36);
  }
}

function hasText(node: Nodes): boolean {
  return textOf(node).trim() !== '';
}

function leafOf(text: string, marks: Marks): LeafNode {
  return {
    object: 'leaf',
    text,
    marks: marks.map((type) => ({ object: 'mark', type, data: MARK_DATA[type] ?? {} })),
  };
}

/** Of what a link contains, the texts and images: it contains nothing else. */
function textsAndImages(node: DocumentNode): DocumentNode[] {
  return node.object === 'text' || node.type === 'inline-image' ? [node] : node.nodes.flatMap(textsAndImages);
}

/** Pixels, or a number with its unit; null for anything else. */
function lengthOf(value: unknown): number | { readonly value: number; readonly unit: string } | null {
  const match = /^(\d{1,6}(?:\.\d{1,6})?)(px|%|em|rem|vw|vh)?$/.exec(String(value ?? '').trim());
  if (match === null) return null;
  const [, digits, unit = 'px'] = match;
  return unit === 'px' ? Number(digits) : { value: Number(digits), unit };
}
