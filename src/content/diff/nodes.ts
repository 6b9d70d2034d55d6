import type { Element, ElementContent, RootContent } from 'hast';

export type Node = RootContent;

export function isElementNode(node: { readonly type: string }): node is Element {
  return node.type === 'element';
}

/** White space between blocks. */
export function isBlank(node: Node): boolean {
  return (node.type === 'text' && node.value.trim() === '') || node.type === 'comment';
}

/** The children of an element that readers see. */
export function contentOf({ children }: Element): ElementContent[] {
  return children.filter((child) => !isBlank(child));
}

const keys = new WeakMap<Node, string>();

/** The same for two nodes that readers see as the same, wherever they stand. */
export function keyOf(node: Node): string {
  const known = keys.get(node);
  if (known !== undefined) return known;
  const key = makeKey(node);
  keys.set(node, key);
  return key;
}

function makeKey(node: Node): string {
  if (node.type === 'text') return `"${node.value.replace(/\s+/g, ' ')}"`;
  if (!isElementNode(node)) return '';
  return `<${tagOf(node)}>${node.children.map(keyOf).join('')}</>`;
}

/** Of attributes, those that only name places are not seen. */
const UNSEEN = new Set(['id', 'ariaLabelledBy', 'ariaDescribedBy', 'htmlFor', 'loading', 'dataLine']);

/** The tag with the attributes that readers notice. */
export function tagOf({ tagName, properties }: Element): string {
  const attributes = Object.entries(properties)
    .filter(([name]) => !UNSEEN.has(name))
    .map(([name, value]) => `${name}=${placeless(name, value)}`)
    .toSorted();
  return [tagName, ...attributes].join(' ');
}

/** Addresses inside a version of a space name the version, which differs always. */
function placeless(name: string, value: unknown): string {
  const text = Array.isArray(value) ? value.join(' ') : String(value);
  return name === 'href' || name === 'src' ? text.replace(/\/revisions\/[^/]+/, '') : text;
}

const lengths = new WeakMap<Node, number>();

/** How much text, and pictures, are in a node. */
export function textLength(node: Node): number {
  const known = lengths.get(node);
  if (known !== undefined) return known;
  const length =
    node.type === 'text'
      ? node.value.trim().length
      : isElementNode(node)
        ? node.children.reduce(
            (sum, child) => sum + textLength(child),
            /^(?:img|hr|input)$/.test(node.tagName) ? 1 : 0,
          )
        : 0;
  lengths.set(node, length);
  return length;
}

const wordSets = new WeakMap<Node, ReadonlyMap<string, number>>();

/** How much of the words of two nodes are the same, from 0 to 1. */
export function similarity(a: Node, b: Node): number {
  const [left, right] = [wordsOf(a), wordsOf(b)];
  let [shared, all] = [0, 0];
  for (const [word, count] of left) {
    shared += Math.min(count, right.get(word) ?? 0);
    all += count;
  }
  for (const count of right.values()) all += count;
  return all === 0 ? 1 : (2 * shared) / all;
}

function wordsOf(node: Node): ReadonlyMap<string, number> {
  const known = wordSets.get(node);
  if (known !== undefined) return known;
  const words = new Map<string, number>();
  const walk = (one: Node) => {
    if (one.type === 'text') {
      for (const [word] of one.value.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu))
        words.set(word, (words.get(word) ?? 0) + 1);
    } else if (isElementNode(one)) one.children.forEach(walk);
  };
  walk(node);
  wordSets.set(node, words);
  return words;
}
