import type { Element, ElementContent, Parents, Root } from 'hast';
import { type Block, type BlockList, MARKER } from '../../dialect/index.ts';
import { textOf, walkElements } from '../walk-elements.ts';
import { box, elementsOf, groupTabs, hasClass, reference } from './block-elements.ts';
import { cardsOf } from './card-table.ts';
import { type NamedOperation, namedOperation } from './find-operations.ts';

/**
 * Puts the elements of the page's blocks where their markers stand, and those of GitBook's HTML forms of blocks. Runs
 * before the tree is sanitised. Children come before their parents; one pass over each list of children.
 */
export function expandBlocks(root: Root, blocks: BlockList, show: RenderOperation = () => null): void {
  const parents: Parents[] = [root];
  walkElements(root, (element) => parents.push(element));
  for (const parent of parents.toReversed()) {
    const children = parent.children as ElementContent[];
    const placed = children.some((child) => child.type === 'element')
      ? groupTabs(
          children.flatMap((child) =>
            child.type === 'element' ? expandElement(child, blocks, show) : [child],
          ),
        )
      : children;
    parent.children = placed;
  }
}

/** The elements of an operation that a block names; null where it is not known. */
export type RenderOperation = (named: NamedOperation) => ElementContent[] | null;

function expandElement(element: Element, blocks: BlockList, show: RenderOperation): ElementContent[] {
  const { tagName, properties } = element;
  if (tagName === MARKER) {
    const block = blocks.at(Number(properties['dataN']));
    return block === undefined ? element.children : expandBlock(block, element.children, show);
  }
  if (properties['dataGbCustomBlock'] !== undefined)
    return expandBlock(readBlock(element), element.children, show);
  if (tagName === 'span' && properties['dataTag'] === 'emoji') return emojiOf(element);
  if (tagName === 'i') return iconOf(element);
  if (tagName === 'table' && properties['dataView'] === 'cards') return cardsOf(element);
  if (tagName === 'p') return splitParagraph(element);
  if (tagName === 'listing') return listingOf(element);
  if (tagName === 'iframe' || tagName === 'video') return embedOf(element);
  return [element];
}

/** What a description says of an operation stands in place of what the block holds, which may be old. */
function expandBlock(block: Block, children: ElementContent[], show: RenderOperation): ElementContent[] {
  const named = namedOperation(block.kind, block.values);
  const shown = named && show(named);
  return shown ? [box('div', 'openapi', shown)] : elementsOf(block, children);
}

const BLOCKS: ReadonlySet<string> = new Set([
  'details',
  'div',
  'figure',
  'ol',
  'p',
  'pre',
  'section',
  'table',
]);

/** A paragraph cannot hold blocks: what is before one and after it are paragraphs of their own. */
function splitParagraph(paragraph: Element): ElementContent[] {
  const isBlock = (child: ElementContent) => child.type === 'element' && BLOCKS.has(child.tagName);
  if (!paragraph.children.some(isBlock)) return [paragraph];
  const parts: ElementContent[] = [];
  let words: ElementContent[] = [];
  const flush = () => {
    if (words.some((word) => word.type !== 'text' || word.value.trim() !== ''))
      parts.push({ ...paragraph, children: words });
    words = [];
  };
  for (const child of paragraph.children) {
    if (!isBlock(child)) {
      words.push(child);
      continue;
    }
    flush();
    parts.push(child);
  }
  flush();
  return parts;
}

/** GitBook writes blocks in tables and lists as HTML: `<div data-gb-custom-block data-tag="hint" data-style="info">`. */
function readBlock({ properties }: Element): Block {
  const values = new Map<string, string>();
  for (const [key, value] of Object.entries(properties)) {
    if (!key.startsWith('data') || typeof value !== 'string') continue;
    const name = key.slice('data'.length).toLowerCase();
    values.set(name === '0' ? '' : name, value);
  }
  return { kind: values.get('tag') ?? '', values };
}

function emojiOf(element: Element): ElementContent[] {
  const { dataCode } = element.properties;
  const points = String(dataCode ?? '')
    .split('-')
    .map((one) => Number.parseInt(one, 16));
  const isEmoji = points.length <= 10 && points.every((point) => point > 0x7f && point <= 0x10ffff);
  return isEmoji ? [{ type: 'text', value: String.fromCodePoint(...points) }] : element.children;
}

/** `<i class="fa-rocket">:rocket:</i>` is a picture; its text only stands in for it, and counts in headings' names. */
function iconOf(element: Element): ElementContent[] {
  const { className } = element.properties;
  const names = Array.isArray(className) ? className.map(String) : [];
  const isIcon =
    names.some((name) => /^fa(?:-|$)/.test(name)) && /^(?::[\w-]*:)?$/.test(textOf(element).trim());
  return isIcon ? [box('span', 'icon', element.children)] : [element];
}

/** A listing with a number, as books made with the Rust book's preprocessor have it. */
function listingOf({ properties, children }: Element): ElementContent[] {
  const { number, caption, fileName } = properties as Record<string, unknown>;
  const file = fileName ?? properties['file-name'];
  const words = [number === undefined ? '' : `Listing ${number}`, String(caption ?? '')]
    .filter(Boolean)
    .join(': ');
  const parts: ElementContent[] = [];
  if (typeof file === 'string') parts.push(elementOf('p', `Filename: ${file}`));
  parts.push(...children);
  if (words !== '') parts.push(elementOf('figcaption', words));
  const id = number === undefined ? {} : { id: `listing-${number}` };
  return [{ type: 'element', tagName: 'figure', properties: id, children: parts }];
}

/** What would run or play here is a link to it. */
function embedOf({ tagName, properties, children }: Element): ElementContent[] {
  const source = properties['src'] ?? sourceIn(children);
  if (typeof source !== 'string' || source === '') return [];
  const title = typeof properties['title'] === 'string' ? properties['title'] : source;
  return [reference(tagName === 'video' ? 'file' : 'embed', source, undefined, [], title)];
}

function sourceIn(children: readonly ElementContent[]): unknown {
  const source = children.find((child) => child.type === 'element' && child.tagName === 'source');
  return source?.type === 'element' ? source.properties['src'] : undefined;
}

function elementOf(tagName: string, value: string): Element {
  return { type: 'element', tagName, properties: {}, children: [{ type: 'text', value }] };
}

/** Takes the words of icons away, once they have counted in the headings' names. */
export function emptyIcons(root: Root): void {
  walkElements(root, (element) => {
    if (element.tagName === 'span' && hasClass(element, 'icon')) element.children = [];
  });
}
