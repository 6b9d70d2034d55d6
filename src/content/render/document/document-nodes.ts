/**
 * A page as nodes, the form in which programs read it (`format=document`). The contract declares the same shape for the
 * wire; a test proves that the two agree.
 */
export interface DocumentTree {
  readonly object: 'document';
  readonly data: { readonly schemaVersion: number };
  readonly nodes: readonly BlockNode[];
}

/** Plain JSON; `docs/api.md` describes the fields of each type. */
export type NodeData = Readonly<Record<string, unknown>>;

export interface BlockNode {
  readonly object: 'block';
  readonly type: BlockType;
  /** Unique in its document. */
  readonly key: string;
  /** Whether it is shown from its data; `nodes` are then the same as text, for readers that do not know the type. */
  readonly isVoid: boolean;
  readonly data: NodeData;
  /** `id` is the anchor that fragments name; `aliases` are further ones. */
  readonly meta?: { readonly id: string; readonly aliases?: readonly string[] };
  readonly nodes: readonly DocumentNode[];
  /** Parts with a separate role: the title of an expandable block, the cells of a table. */
  readonly fragments?: readonly FragmentNode[];
}

export interface InlineNode {
  readonly object: 'inline';
  readonly type: InlineType;
  readonly key: string;
  readonly isVoid: boolean;
  readonly data: NodeData;
  readonly nodes: readonly DocumentNode[];
}

export interface TextNode {
  readonly object: 'text';
  readonly key: string;
  readonly leaves: readonly LeafNode[];
}

export interface LeafNode {
  readonly object: 'leaf';
  readonly text: string;
  readonly marks: readonly MarkNode[];
}

export interface MarkNode {
  readonly object: 'mark';
  readonly type: MarkType;
  readonly data: NodeData;
}

export interface FragmentNode {
  readonly object: 'fragment';
  readonly key: string;
  /** The role of the part. */
  readonly type: string;
  /** The name by which the block's data refers to it. */
  readonly fragment: string;
  readonly nodes: readonly BlockNode[];
}

export type DocumentNode = BlockNode | InlineNode | TextNode;

/** The names and fields of the published description of the API. */
export type BlockType =
  | 'paragraph'
  | `heading-${1 | 2 | 3}`
  | 'list-ordered'
  | 'list-unordered'
  | 'list-tasks'
  | 'list-item'
  | 'blockquote'
  | 'hint'
  | 'code'
  | 'code-line'
  | 'table'
  | 'divider'
  | 'expandable'
  | 'tabs'
  | 'tabs-item'
  | 'stepper'
  | 'stepper-step'
  | 'columns'
  | 'column'
  | 'content-ref'
  | 'reusable-content'
  | 'embed'
  | 'file'
  | 'images'
  | 'image'
  | 'math';

export type InlineType = 'link' | 'button' | 'inline-image' | 'inline-math';

export type MarkType =
  | 'bold'
  | 'italic'
  | 'strikethrough'
  | 'code'
  | 'keyboard'
  | 'superscript'
  | 'subscript'
  | 'color';
