import type { Element, ElementContent, Parents, Root } from 'hast';
import { type Block, type BlockList, MARKER } from '../../dialect/index.ts';
import { hasClass, textOf, walkElements } from '../hast-elements.ts';
import { box, elementsOf, groupTabs, isComponent, reference } from './block-elements.ts';
import type { BlockTitles } from './block-titles.ts';
import { cardsOf } from './card-table.ts';
import { type NamedOperation, namedOperation } from './find-operations.ts';

/**
 * Replaces the markers of blocks, and GitBook's HTML forms of blocks, with their elements. Runs before the tree is
 * sanitised. Children are expanded before their parents, in one pass over each list of children.
 */
export function expandBlocks(
  root: Root,
  blocks: BlockList,
  { render = () => null, titles = {} }: ExpandOptions = {},
): void {
  const context: ExpandContext = { blocks, render, titles };
  const parents: Parents[] = [root];
  walkElements(root, (element) => parents.push(element));
  for (const parent of parents.toReversed()) {
    const children = parent.children as ElementContent[];
    parent.children = children.some((child) => child.type === 'element')
      ? groupTabs(
          children.flatMap((child) => (child.type === 'element' ? expandElement(child, context) : [child])),
        )
      : children;
  }
}

/** Returns the elements of an operation that a block names; null when it is not known. */
export type RenderOperation = (named: NamedOperation) => ElementContent[] | null;

interface ExpandOptions {
  readonly render?: RenderOperation | undefined;
  readonly titles?: BlockTitles | undefined;
}

type ExpandContext = { readonly blocks: BlockList } & Required<{
  readonly [Key in keyof ExpandOptions]: NonNullable<ExpandOptions[Key]>;
}>;

function expandElement(element: Element, context: ExpandContext): ElementContent[] {
  const { tagName, properties } = element;
  if (tagName === MARKER) {
    const block = context.blocks.at(Number(properties['dataN']));
    return block === undefined ? element.children : expandBlock(block, element.children, context);
  }
  if (properties['dataGbCustomBlock'] !== undefined)
    return expandBlock(readBlock(element), element.children, context);
  if (isComponent(element)) return expandComponent(element, context);
  if (hasClass(element, 'vt-badge')) return badgeOf(element);
  if (tagName === 'span' && properties['dataTag'] === 'emoji') return emojiOf(element);
  if (tagName === 'i') return iconOf(element);
  if (tagName === 'table' && properties['dataView'] === 'cards') return cardsOf(element);
  if (tagName === 'p') return splitParagraph(element);
  if (tagName === 'listing') return listingOf(element);
  if (tagName === 'iframe' || tagName === 'video') return embedOf(element);
  return [element];
}

/** A known operation replaces the block's own content, which may be outdated. */
function expandBlock(
  block: Block,
  children: ElementContent[],
  { render, titles }: ExpandContext,
): ElementContent[] {
  const named = namedOperation(block.kind, block.values);
  const rendered = named && render(named);
  if (!rendered) return elementsOf(block, children, titles);
  return [{ ...box('div', 'openapi', rendered), data: { isGenerated: true } }];
}

/** A component in Markdown that is not MDX is an element that HTML does not have; one with an address is a link. */
function expandComponent(component: Element, context: ExpandContext): ElementContent[] {
  const { tagName, properties, children } = component;
  const values = new Map(
    Object.entries(properties).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  );
  return expandBlock({ kind: `<${tagName}>`, values }, children, context);
}

/** A label of the theme of vuejs.org, whose words are an attribute. */
function badgeOf({ properties, children }: Element): ElementContent[] {
  const { className, dataText } = properties;
  const names = Array.isArray(className) ? className.map(String) : [];
  const words = typeof dataText === 'string' ? dataText : (names.find((name) => name !== 'vt-badge') ?? '');
  if (children.length === 0 && words === '') return [];
  return [box('span', 'badge', children.length > 0 ? children : [{ type: 'text', value: words }])];
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

/** A paragraph cannot contain blocks: the content before and after a block becomes separate paragraphs. */
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
    .map((point) => Number.parseInt(point, 16));
  const isEmoji = points.length <= 10 && points.every((point) => point > 0x7f && point <= 0x10ffff);
  return isEmoji ? [{ type: 'text', value: String.fromCodePoint(...points) }] : element.children;
}

/** `<i class="fa-rocket">:rocket:</i>` is an icon; its text only names it, and counts in headings' names. */
function iconOf(element: Element): ElementContent[] {
  const { className } = element.properties;
  const names = Array.isArray(className) ? className.map(String) : [];
  const isIcon =
    names.some((name) => /^fa(?:-|$)/.test(name)) && /^(?::[\w-]*:)?$/.test(textOf(element).trim());
  return isIcon ? [box('span', 'icon', element.children)] : [element];
}

/** A numbered listing, as in books that use the Rust book's preprocessor. */
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

/** Replaces embedded frames and videos with links to them. */
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

/** Removes the text of icons, after headings were named with it. */
export function emptyIcons(root: Root): void {
  walkElements(root, (element) => {
    if (element.tagName === 'span' && hasClass(element, 'icon')) element.children = [];
  });
}
