import type { BlockNode, DocumentNode, DocumentTree, FragmentNode } from '../render/index.ts';

/** A block of a page, as it is compared with those of another version of the page. */
export interface AnchorBlock {
  /** The key of its node, unique in its version of the page. */
  readonly key: string;
  readonly type: string;
  /** Its text, with single spaces; of a long one the beginning, with a digest of the rest. */
  readonly text: string;
}

/** The blocks of a page after these have no anchors: what stands there is not followed. */
export const MAX_BLOCKS = 5_000;

/** The longest text that is compared, in UTF-16 code units. */
const MAX_TEXT = 400;
const MAX_QUOTE = 280;

/** The blocks of a page in their order, those inside of others and in the cells of tables included. */
export function blocksOf(tree: DocumentTree): readonly AnchorBlock[] {
  const found: AnchorBlock[] = [];
  const visit = (node: DocumentNode | FragmentNode): void => {
    if (found.length >= MAX_BLOCKS) return;
    if (node.object === 'block' && isAnchor(node)) {
      found.push({ key: node.key, type: node.type, text: clip(textOf(node)) });
    }
    for (const child of childrenOf(node)) visit(child);
  };
  for (const node of tree.nodes) visit(node);
  return found;
}

/** The key of the block that each node of a page stands in, by the key of the node; a block stands in itself. */
export function enclosingBlocks(tree: DocumentTree): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (node: DocumentNode | FragmentNode, block: string | null): void => {
    const own = node.object === 'block' && isAnchor(node) ? node.key : block;
    if (own !== null) found.set(node.key, own);
    for (const child of childrenOf(node)) visit(child, own);
  };
  for (const node of tree.nodes) visit(node, null);
  return found;
}

/** The beginning of a block's text, for people. */
export function quoteOf({ text }: AnchorBlock): string {
  const shown = text.replace(/ #[0-9a-z]+$/, '');
  if (shown.length <= MAX_QUOTE && shown === text) return shown;
  return `${shown
    .slice(0, MAX_QUOTE)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`;
}

/** A line of code has no text of its own to stand on: its block has. */
function isAnchor({ type }: BlockNode): boolean {
  return type !== 'code-line';
}

function childrenOf(node: DocumentNode | FragmentNode): readonly (DocumentNode | FragmentNode)[] {
  if (node.object === 'text') return [];
  return [...node.nodes, ...(node.object === 'block' ? (node.fragments ?? []) : [])];
}

function textOf(node: BlockNode): string {
  const parts: string[] = [];
  const visit = (inner: DocumentNode | FragmentNode): void => {
    if (inner.object === 'text') {
      parts.push(inner.leaves.map(({ text }) => text).join(''));
      return;
    }
    if (inner.object === 'inline' && inner.type === 'inline-image') parts.push(addressOf(inner.data));
    for (const child of childrenOf(inner)) visit(child);
    if (inner.object === 'block') parts.push(' ');
  };
  visit(node);
  const text = parts.join('').replace(/\s+/g, ' ').trim();
  return text === '' ? addressOf(node.data) : text;
}

/** What is shown without text is known by where it leads: pictures, embedded videos, files. */
function addressOf(data: Readonly<Record<string, unknown>>): string {
  const { ref, url, alt } = data as { ref?: { url?: unknown }; url?: unknown; alt?: unknown };
  return [alt, url ?? ref?.url].filter((part) => typeof part === 'string').join(' ');
}

function clip(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  return `${text.slice(0, MAX_TEXT)} #${digestOf(text)}`;
}

/** FNV-1a: tells texts with the same beginning apart; nothing depends on its being hard to find another one for. */
function digestOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash ^= text.charCodeAt(at);
    hash = Math.imul(hash, 0x01000193);
  }
  return `${(hash >>> 0).toString(36)}${text.length.toString(36)}`;
}
