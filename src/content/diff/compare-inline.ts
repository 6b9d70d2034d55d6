import { diffArrays } from 'diff';
import type { Element, ElementContent } from 'hast';
import { isElementNode, keyOf, tagOf } from './nodes.ts';

/** A word, a sign, white space, or an element without text of its own, with the elements around it. */
interface Token {
  readonly key: string;
  readonly node: ElementContent;
  /** From the outside to the inside. */
  readonly around: readonly Element[];
}

export interface InlineDifference {
  readonly children: readonly ElementContent[];
  /** Runs of words. */
  readonly inserted: number;
  readonly deleted: number;
}

/** Beyond it the two texts count as replaced. */
const MAX_EDITS = 1_000;
const MAX_TOKENS = 20_000;

/** Shown as one piece. */
const ATOMS = new Set(['audio', 'br', 'hr', 'img', 'input', 'math', 'svg', 'video', 'wbr']);

/** Compares what is inside two blocks word by word; null where they have too little in common. */
export function compareInline(
  before: readonly ElementContent[],
  after: readonly ElementContent[],
): InlineDifference | null {
  const [old, now] = [toTokens(before), toTokens(after)];
  if (old.length + now.length > MAX_TOKENS) return null;
  const changes = diffArrays(
    old.map(({ key }) => key),
    now.map(({ key }) => key),
    { maxEditLength: MAX_EDITS },
  );
  if (changes === undefined) return null;
  const children: ElementContent[] = [];
  let [oldAt, nowAt, inserted, deleted] = [0, 0, 0, 0];
  for (const { added, removed, count } of joinAcrossSpaces(changes)) {
    if (removed) {
      children.push(mark('del', build(old.slice(oldAt, oldAt + count).map(withoutAnchors))));
      oldAt += count;
      deleted += 1;
    } else if (added) {
      children.push(mark('ins', build(now.slice(nowAt, nowAt + count))));
      nowAt += count;
      inserted += 1;
    } else {
      children.push(...build(now.slice(nowAt, nowAt + count)));
      oldAt += count;
      nowAt += count;
    }
  }
  return { children, inserted, deleted };
}

interface Run {
  readonly added: boolean;
  readonly removed: boolean;
  readonly count: number;
}

/** Only a space between two changed words is the same by accident: one run reads better than two. */
function joinAcrossSpaces(changes: readonly (Run & { readonly value: readonly string[] })[]): readonly Run[] {
  const runs: Run[] = [];
  let pending = { removed: 0, added: 0 };
  const flush = () => {
    if (pending.removed > 0) runs.push({ removed: true, added: false, count: pending.removed });
    if (pending.added > 0) runs.push({ removed: false, added: true, count: pending.added });
    pending = { removed: 0, added: 0 };
  };
  changes.forEach(({ added, removed, count, value }, index) => {
    if (removed) pending.removed += count;
    else if (added) pending.added += count;
    else {
      const isBetween = pending.removed > 0 && pending.added > 0 && index < changes.length - 1;
      if (isBetween && count === 1 && /^ \|/.test(value[0] ?? '')) {
        pending.removed += count;
        pending.added += count;
      } else {
        flush();
        runs.push({ added: false, removed: false, count });
      }
    }
  });
  flush();
  return runs;
}

function toTokens(nodes: readonly ElementContent[], around: readonly Element[] = []): Token[] {
  const path = around.map(tagOf).join('>');
  return nodes.flatMap((node): Token[] => {
    if (node.type === 'text') {
      const words = node.value.match(/[\p{L}\p{N}\p{M}_]+|\s+|[^\p{L}\p{N}\p{M}_\s]/gu) ?? [];
      return words.map((word) => ({
        key: `${word.replace(/^\s+$/, ' ')}|${path}`,
        node: { type: 'text', value: word },
        around,
      }));
    }
    if (!isElementNode(node)) return [];
    if (ATOMS.has(node.tagName) || node.children.length === 0)
      return [{ key: `${keyOf(node)}|${path}`, node, around }];
    return toTokens(node.children, [...around, node]);
  });
}

/** Puts tokens into the elements that were around them. */
function build(tokens: readonly Token[], depth = 0): ElementContent[] {
  const children: ElementContent[] = [];
  for (let at = 0; at < tokens.length; ) {
    const { around, node } = tokens[at] as Token;
    const element = around[depth];
    if (element === undefined) {
      const last = children.at(-1);
      if (last?.type === 'text' && node.type === 'text')
        children[children.length - 1] = { type: 'text', value: last.value + node.value };
      else children.push(node);
      at += 1;
      continue;
    }
    let end = at;
    while (end < tokens.length && tokens[end]?.around[depth] === element) end += 1;
    children.push({ ...element, children: build(tokens.slice(at, end), depth + 1) });
    at = end;
  }
  return children;
}

/** What is deleted has no anchors. */
function withoutAnchors(token: Token): Token {
  return { ...token, around: token.around.map(anchorless) };
}

const anchorlessElements = new WeakMap<Element, Element>();

/** The same one each time, so that tokens of one element stay in one. */
function anchorless(element: Element): Element {
  const known = anchorlessElements.get(element);
  if (known !== undefined) return known;
  const { id: _id, ...properties } = element.properties;
  const bare = { ...element, properties };
  anchorlessElements.set(element, bare);
  return bare;
}

function mark(tagName: 'ins' | 'del', children: ElementContent[]): Element {
  return { type: 'element', tagName, properties: {}, children };
}
