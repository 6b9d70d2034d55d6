import type { Element, Nodes, Parents, Root } from 'hast';
import { element, isElement, type ShownBlock, walkElements } from './hast-elements.ts';

/** Where something about a block of a page can be shown: after it, or at the end of an item. */
export interface BlockPlace {
  /** The key of the block that is commented on here; null for one that consists of others. */
  readonly own: string | null;
  /** The keys of all blocks for which this is the nearest place. */
  readonly keys: readonly string[];
  /** How the block begins, for people. */
  readonly text: string;
}

/** What may stand beside blocks. */
const FLOW: ReadonlySet<string> = new Set(
  'article aside blockquote dd del details div ins li main section'.split(' '),
);

/** Blocks that consist of others, which have places themselves. */
const CONTAINERS: ReadonlySet<string> = new Set(
  'column columns list-ordered list-tasks list-unordered stepper tabs'.split(' '),
);

/** In UTF-16 code units. */
const MAX_TEXT = 80;

interface Spot {
  readonly keys: string[];
  own: string | null;
}

/** Inserts an empty element at each place of a tree whose blocks are marked. */
export function insertBlockPlaces(root: Root): void {
  const parents = new Map<Element, Parents>();
  const spots = new Map<Element, Spot>();
  walkElements(root, (current, parent) => {
    parents.set(current, parent);
    const { blocks } = current.data ?? {};
    if (blocks === undefined) return;
    const at = findSpot(current, parents);
    if (at === null) return;
    const spot = spots.get(at) ?? { keys: [], own: null };
    spots.set(at, spot);
    spot.keys.push(...blocks.map(({ key }) => key));
    // The first that is met is the outermost one.
    if (at === current || spot.own === null) spot.own ??= ownOf(blocks);
  });
  for (const [at, { own, keys }] of spots) {
    const place = element('div', [], {
      dataDocloomPlace: own ?? '',
      dataKeys: keys.join(' '),
      dataText: encodeURIComponent(beginningOf(at)),
    });
    if (at.tagName === 'li' || at.tagName === 'dd') at.children.push(place);
    else {
      const siblings = parents.get(at)?.children as Nodes[] | undefined;
      siblings?.splice(siblings.indexOf(at) + 1, 0, place);
    }
  }
}

/** The innermost element around one beside which, or at the end of which, there may be something. */
function findSpot(start: Element, parents: ReadonlyMap<Element, Parents>): Element | null {
  for (let at: Parents | undefined = start; at?.type === 'element'; at = parents.get(at)) {
    const parent = parents.get(at);
    if (parent === undefined) return null;
    if (at.tagName === 'li' || at.tagName === 'dd') return at;
    if (parent.type === 'root') return at;
    if (parent.type !== 'element' || !FLOW.has(parent.tagName)) continue;
    // An item, or a quote of one paragraph, says the same as what is in it.
    const isSame = parent.tagName === 'li' ? isFirst(at, parent) : isOnly(at, parent);
    if (!(isSame && parent.data?.blocks !== undefined)) return at;
  }
  return null;
}

function isFirst(child: Element, { children }: Element): boolean {
  return children.find(isElement) === child;
}

function isOnly(child: Element, { children }: Element): boolean {
  return children.filter(isElement).every((one) => one === child);
}

function ownOf(blocks: readonly ShownBlock[]): string | null {
  return blocks.find(({ type }) => !CONTAINERS.has(type))?.key ?? null;
}

function beginningOf(start: Element): string {
  let text = '';
  const stack: Nodes[] = [start];
  for (let node = stack.pop(); node && text.length < 2 * MAX_TEXT; node = stack.pop()) {
    if (node.type === 'text') text += node.value.slice(0, 2 * MAX_TEXT);
    else if ('children' in node) stack.push(...(node.children.toReversed() as Nodes[]));
  }
  const words = text.replace(/\s+/g, ' ').trim();
  return words.length > MAX_TEXT ? `${words.slice(0, MAX_TEXT - 1).toWellFormed()}…` : words.toWellFormed();
}

/** As an author cannot write it: quotes in text and in attributes of a rendered page are never like these. */
const PLACE =
  /<div data-docloom-place="([0-9a-z]*)" data-keys="([0-9a-z ]*)" data-text="([A-Za-z0-9%_.!~*'()-]*)"><\/div>/g;

/** Replaces the places of a rendered page, or of a difference of two, with markup; nothing is left of the others. */
export function fillBlockPlaces(html: string, fill: (place: BlockPlace) => string): string {
  return html.replace(PLACE, (_whole, own: string, keys: string, text: string) =>
    fill({ own: own === '' ? null : own, keys: keys.split(' '), text: decodeURIComponent(text) }),
  );
}
