import { diffArrays } from 'diff';
import type { Element, ElementContent, Root } from 'hast';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import { compareInline } from './compare-inline.ts';
import { contentOf, isBlank, isElementNode, keyOf, type Node, similarity, textLength } from './nodes.ts';

const html = unified().use(rehypeStringify).freeze();

/** A rendered page with what was inserted and deleted since another version of it. */
export interface PageDifference {
  readonly html: string;
  /** Blocks and runs of words. */
  readonly inserted: number;
  readonly deleted: number;
  /** Blocks that only stand elsewhere. */
  readonly moved: number;
}

/** Beyond it, in nodes of a list, the lists have so little in common that all of them count as replaced. */
const MAX_EDITS = 2_000;

/** Blocks with less in common are shown as one deleted and one inserted block. */
const MIN_SIMILARITY = 0.35;

/** Whose children are compared one by one. */
const CONTAINERS = new Set([
  'article',
  'aside',
  'blockquote',
  'dd',
  'details',
  'div',
  'dl',
  'figure',
  'footer',
  'header',
  'main',
  'nav',
  'ol',
  'section',
  'table',
  'tbody',
  'tfoot',
  'thead',
  'tr',
  'ul',
]);

/** What can be neither inside nor around `ins` and `del`: its content is marked instead. */
const MARKED_INSIDE = new Set([
  'caption',
  'dd',
  'dt',
  'figcaption',
  'li',
  'summary',
  'tbody',
  'td',
  'tfoot',
  'th',
  'thead',
  'tr',
]);

type Mark = 'inserted' | 'deleted';

/**
 * Compares two rendered pages block by block, and word by word in blocks that replace each other. Without `del` the result
 * has the text of the second page, and without `ins` that of the first. The trees must be sanitised, and are used up; `complete`
 * changes the result before it is written.
 */
export function comparePages(
  before: Root,
  after: Root,
  complete: (tree: Root) => void = () => {},
): PageDifference {
  const moves = findMoves(before.children, after.children);
  const compare = new Comparison(moves);
  const children = compare.lists(before.children, after.children);
  const tree: Root = { type: 'root', children };
  complete(tree);
  return {
    html: html.stringify(tree),
    inserted: compare.inserted,
    deleted: compare.deleted,
    moved: compare.moved,
  };
}

/** The keys of blocks that are on both sides, once each: where they are not matched, they moved. */
function findMoves(before: readonly Node[], after: readonly Node[]): ReadonlySet<string> {
  const once = (nodes: readonly Node[]) => {
    const counts = new Map<string, number>();
    for (const node of nodes) {
      if (!isBlank(node) && textLength(node) > 0) counts.set(keyOf(node), (counts.get(keyOf(node)) ?? 0) + 1);
    }
    return new Set([...counts].filter(([, count]) => count === 1).map(([key]) => key));
  };
  return once(before).intersection(once(after));
}

class Comparison {
  inserted = 0;
  deleted = 0;
  moved = 0;
  readonly #moves: ReadonlySet<string>;

  constructor(moves: ReadonlySet<string>) {
    this.#moves = moves;
  }

  /** Compares the children of two containers. */
  lists(before: readonly Node[], after: readonly Node[]): Node[] {
    const [old, now] = [before, after].map((nodes) => nodes.filter((node) => !isBlank(node))) as [
      Node[],
      Node[],
    ];
    const changes = diffArrays(old.map(keyOf), now.map(keyOf), { maxEditLength: MAX_EDITS });
    if (changes === undefined) return [...this.#mark(old, 'deleted'), ...this.#mark(now, 'inserted')];
    const result: Node[] = [];
    let [oldAt, nowAt] = [0, 0];
    let removed: Node[] = [];
    let added: Node[] = [];
    const flush = () => {
      result.push(...this.#replace(removed, added));
      [removed, added] = [[], []];
    };
    for (const { added: isAdded, removed: isRemoved, count } of changes) {
      if (isRemoved) {
        removed.push(...old.slice(oldAt, oldAt + count));
        oldAt += count;
      } else if (isAdded) {
        added.push(...now.slice(nowAt, nowAt + count));
        nowAt += count;
      } else {
        flush();
        result.push(...now.slice(nowAt, nowAt + count));
        oldAt += count;
        nowAt += count;
      }
    }
    flush();
    return result;
  }

  /** A run of nodes that others take the place of: those that are alike are compared, in their order. */
  #replace(removed: readonly Node[], added: readonly Node[]): Node[] {
    const result: Node[] = [];
    let from = 0;
    for (const node of added) {
      const match = this.#findMatch(node, removed, from);
      if (match === null) {
        result.push(...this.#mark([node], 'inserted'));
        continue;
      }
      result.push(...this.#mark(removed.slice(from, match), 'deleted'));
      result.push(...this.#pair(removed[match] as Node, node));
      from = match + 1;
    }
    // What is deleted comes before what stands in its place.
    const rest = this.#mark(removed.slice(from), 'deleted');
    return from === 0 ? [...rest, ...result] : [...result, ...rest];
  }

  #findMatch(node: Node, removed: readonly Node[], from: number): number | null {
    if (this.#moves.has(keyOf(node))) return null;
    let best: number | null = null;
    let most = MIN_SIMILARITY;
    for (let at = from; at < Math.min(removed.length, from + 20); at++) {
      const candidate = removed[at] as Node;
      if (this.#moves.has(keyOf(candidate)) || !areAlike(candidate, node)) continue;
      const share = similarity(candidate, node);
      if (share > most) [best, most] = [at, share];
    }
    return best;
  }

  #pair(before: Node, after: Node): Node[] {
    if (!isElementNode(before) || !isElementNode(after))
      return [...this.#mark([before], 'deleted'), ...this.#mark([after], 'inserted')];
    const isContainer = CONTAINERS.has(after.tagName) || hasBlocks(before) || hasBlocks(after);
    if (isContainer && canPairChildren(before, after)) {
      return [{ ...after, children: this.lists(before.children, after.children) as ElementContent[] }];
    }
    if (isContainer) return [...this.#mark([before], 'deleted'), ...this.#mark([after], 'inserted')];
    const inline = compareInline(before.children, after.children);
    if (inline === null) return [...this.#mark([before], 'deleted'), ...this.#mark([after], 'inserted')];
    this.inserted += inline.inserted;
    this.deleted += inline.deleted;
    const isSame = inline.inserted === 0 && inline.deleted === 0;
    const children = inline.children as ElementContent[];
    // Its text is the same, and what it is or leads to is not.
    if (!isSame || sameTags(before, after)) return [{ ...after, children }];
    return [...this.#mark([before], 'deleted'), ...this.#mark([after], 'inserted')];
  }

  #mark(nodes: readonly Node[], mark: Mark): Node[] {
    return nodes.flatMap((node) => this.#markOne(node, mark));
  }

  #markOne(node: Node, mark: Mark): Node[] {
    if (node.type === 'comment' || node.type === 'doctype') return [];
    const isMoved = this.#moves.has(keyOf(node));
    if (isMoved) this.moved += mark === 'inserted' ? 1 : 0;
    else this[mark] += 1;
    return [wrap(node as ElementContent, mark, isMoved)];
  }
}

function areAlike(before: Node, after: Node): boolean {
  if (!isElementNode(before) || !isElementNode(after)) return false;
  const isHeading = (element: Element) => /^h[1-6]$/.test(element.tagName);
  return before.tagName === after.tagName || (isHeading(before) && isHeading(after));
}

function sameTags(before: Element, after: Element): boolean {
  return before.tagName === after.tagName;
}

/** Rows of a table are compared cell by cell where both have as many. */
function canPairChildren(before: Element, after: Element): boolean {
  if (after.tagName !== 'tr') return true;
  return contentOf(before).length === contentOf(after).length;
}

const BLOCKS = new Set([...CONTAINERS, 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'li', 'p', 'pre']);

function hasBlocks(element: Element): boolean {
  return element.children.some((child) => isElementNode(child) && BLOCKS.has(child.tagName));
}

/** Marks a block, or its content where the block itself cannot be wrapped. */
function wrap(node: ElementContent, mark: Mark, isMoved: boolean): ElementContent {
  const className = ['diff-block', ...(isMoved ? ['diff-moved'] : [])];
  const shown = mark === 'deleted' ? withoutIds(node) : node;
  if (!isElementNode(shown) || !MARKED_INSIDE.has(shown.tagName)) {
    return {
      type: 'element',
      tagName: mark === 'inserted' ? 'ins' : 'del',
      properties: { className },
      children: [shown],
    };
  }
  const children = ['tr', 'tbody', 'thead', 'tfoot'].includes(shown.tagName)
    ? contentOf(shown).map((child) => wrap(child as ElementContent, mark, isMoved))
    : [wrapAll(shown.children, mark, className)];
  const known = shown.properties['className'];
  const names = [...(Array.isArray(known) ? known : []), `diff-${mark}`];
  return { ...shown, properties: { ...shown.properties, className: names }, children };
}

function wrapAll(children: ElementContent[], mark: Mark, className: string[]): Element {
  return {
    type: 'element',
    tagName: mark === 'inserted' ? 'ins' : 'del',
    properties: { className },
    children,
  };
}

/** What is deleted has no anchors: those of the page that is proposed are the only ones. */
function withoutIds<One extends ElementContent>(node: One): One {
  if (!isElementNode(node)) return node;
  const { id: _id, ...properties } = node.properties;
  return { ...node, properties, children: node.children.map(withoutIds) };
}
