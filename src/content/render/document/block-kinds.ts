import type { Element, ElementContent, RootContent } from 'hast';
import { toneOf } from '../blocks/hint-styles.ts';
import { codeLanguageOf, hasClass, isElement, textOf } from '../hast-elements.ts';
import type { BlockNode, BlockType, FragmentNode, MarkType, NodeData } from './document-nodes.ts';
import type { BlockKind, DocumentWriter } from './document-writer.ts';
import { formulaOf, isBlock } from './element-kinds.ts';
import { writeTableBlock } from './write-table.ts';

/** The kinds of blocks. Of several that match an element, the first is used. */
export const BLOCKS: readonly BlockKind[] = [
  {
    matches: (element) => hasClass(element, 'math'),
    write: (writer, element) => {
      const formula = formulaOf(textOf(element));
      return [writer.block('math', writer.inlines(element.children), { formula }, { isVoid: true })];
    },
  },
  { matches: named('p', 'summary', 'figcaption'), write: words('paragraph') },
  {
    matches: ({ tagName }) => /^h[1-6]$/.test(tagName),
    write: (writer, element, marks) => {
      const level = Number(element.tagName[1]);
      const type = `heading-${Math.min(level, 3)}` as BlockType;
      const nodes = writer.inlines(element.children, marks);
      return [writer.block(type, nodes, level > 3 ? { level } : {}, { id: element.properties['id'] })];
    },
  },
  {
    matches: (element) => hasClass(element, 'stepper'),
    write: container('stepper', (child) => child.tagName === 'li', 'stepper-step'),
  },
  { matches: named('ul', 'ol'), write: writeList },
  { matches: named('pre'), write: (writer, element) => [writeCode(writer, element)] },
  {
    matches: (element) => element.tagName === 'figure' && hasClass(element, 'code'),
    write: writeTitledCode,
  },
  { matches: named('hr'), write: (writer) => [writer.block('divider', [], {}, { isVoid: true })] },
  { matches: named('table'), write: writeTableBlock },
  { matches: (element) => hasClass(element, 'hint') || hasClass(element, 'alert'), write: writeHint },
  { matches: named('blockquote'), write: content('blockquote') },
  {
    matches: (element) => hasClass(element, 'tabs'),
    write: container('tabs', (child) => hasClass(child, 'tab'), 'tabs-item', writeTab),
  },
  { matches: named('details'), write: writeExpandable },
  {
    matches: (element) => hasClass(element, 'columns'),
    write: container('columns', (child) => hasClass(child, 'column'), 'column'),
  },
  { matches: (element) => hasClass(element, 'cards'), write: writeCards },
  { matches: (element) => hasClass(element, 'content-ref'), write: writeReference() },
  {
    matches: (element) => hasClass(element, 'include'),
    write: writeReference('reusable-content', (kind) => kind === 'reusable-content'),
  },
  { matches: (element) => hasClass(element, 'embed'), write: writeEmbed },
  {
    matches: (element) => hasClass(element, 'file'),
    write: writeReference('file', (kind) => kind === 'file'),
  },
  { matches: named('figure'), write: writeFigure },
  { matches: named('dt'), write: words('paragraph') },
];

function named(...names: readonly string[]): BlockKind['matches'] {
  return ({ tagName }) => names.includes(tagName);
}

function words(type: BlockType): BlockKind['write'] {
  return (writer, element, marks) => {
    // A paragraph of HTML may contain blocks, contrary to the standard.
    if (element.children.some((child) => child.type === 'element' && isBlock(child)))
      return writer.blocks(element.children, marks);
    const nodes = writer.inlines(element.children, marks);
    const { id } = element.properties;
    const isEmpty =
      id === undefined && nodes.every((node) => node.object === 'text') && textOf(element).trim() === '';
    return isEmpty ? [] : [writer.block(type, nodes, {}, { id })];
  };
}

function content(type: BlockType): BlockKind['write'] {
  return (writer, element, marks) => [
    writer.block(type, writer.blocks(element.children, marks), {}, { id: element.properties['id'] }),
  ];
}

/** A block that contains nothing but items: what stands between them is an item of its own. */
function container(
  type: BlockType,
  matches: (child: Element) => boolean,
  item: BlockType,
  write: BlockKind['write'] = content(item),
): BlockKind['write'] {
  return (writer, element, marks) => {
    const nodes = element.children.flatMap((child) =>
      child.type === 'element' && matches(child)
        ? writer.inside(child, () => write(writer, child, marks))
        : itemsOf(writer, item, writer.blocks([child], marks)),
    );
    return [writer.block(type, nodes, {}, { id: element.properties['id'] })];
  };
}

function itemsOf(writer: DocumentWriter, item: BlockType, blocks: readonly BlockNode[]): BlockNode[] {
  return blocks.length === 0 ? [] : [writer.block(item, blocks)];
}

/**
 * A block that shows the target of its first link: of the type if that may show what the link leads to, else a
 * `content-ref`. What it reads as stays in its nodes.
 */
function writeReference(
  type: BlockType = 'content-ref',
  canShow: (kind: unknown) => boolean = () => true,
): BlockKind['write'] {
  return (writer, element, marks) => {
    const href = firstAddress(element);
    const nodes = writer.blocks(element.children, marks);
    if (href === null) return nodes;
    const ref = writer.refer(href);
    return [writer.block(canShow(ref['kind']) ? type : 'content-ref', nodes, { ref }, { isVoid: true })];
  };
}

function writeEmbed(writer: DocumentWriter, element: Element, marks: readonly MarkType[]): BlockNode[] {
  const url = firstAddress(element);
  const nodes = writer.blocks(element.children, marks);
  return url === null
    ? nodes
    : [writer.block('embed', nodes, { url, ref: writer.refer(url) }, { isVoid: true })];
}

/** Figures of pictures alone are `images`; others are what they contain. */
function writeFigure(writer: DocumentWriter, figure: Element, marks: readonly MarkType[]): BlockNode[] {
  const isCaption = (child: ElementContent) => isElement(child) && child.tagName === 'figcaption';
  const captions = figure.children.filter(isCaption);
  const pictures = picturesIn(figure.children.filter((child) => !isCaption(child)));
  if (pictures === null) return writer.blocks(figure.children, marks);
  const images = pictures.map((picture, at) => {
    const isLast = at === pictures.length - 1;
    return writer.block('image', [], writer.imageData(picture), {
      isVoid: true,
      fragments: isLast ? captionsOf(writer, captions, marks) : [],
    });
  });
  return [writer.block('images', images, {}, { id: figure.properties['id'] })];
}

function captionsOf(
  writer: DocumentWriter,
  captions: readonly ElementContent[],
  marks: readonly MarkType[],
): FragmentNode[] {
  const nodes = writer.inlines(captions, marks);
  if (nodes.length === 0) return [];
  return [writer.fragment('caption', 'caption', [writer.block('paragraph', nodes)])];
}

/** Null if there is anything but pictures, or none. */
function picturesIn(children: readonly ElementContent[]): Element[] | null {
  const found: Element[] = [];
  for (const child of children) {
    if (child.type === 'text' && child.value.trim() !== '') return null;
    if (child.type !== 'element' || child.tagName === 'source') continue;
    if (child.tagName === 'img') found.push(child);
    else if (['p', 'picture', 'span'].includes(child.tagName)) {
      const inner = picturesIn(child.children);
      if (inner === null) return null;
      found.push(...inner);
    } else return null;
  }
  return found.length === 0 ? null : found;
}

/** Cards are a table of one column. */
function writeCards(writer: DocumentWriter, element: Element, marks: readonly MarkType[]): BlockNode[] {
  const cards = element.children.filter(
    (child) => isElement(child) || (child.type === 'text' && child.value.trim() !== ''),
  );
  const name = (at: number) => `r${at}c0`;
  const fragments = cards.map((card, at) =>
    writer.fragment('table-cell', name(at), writer.blocks([card], marks)),
  );
  const records = cards.map((_card, at) => [`r${at}`, { orderIndex: String(at), values: { c0: name(at) } }]);
  const data = {
    view: { type: 'cards', cardSize: 'medium', columns: ['c0'] },
    definition: { c0: { id: 'c0', type: 'text', title: '', textAlignment: 'left' } },
    records: Object.fromEntries(records),
  };
  return [writer.block('table', [], data, { isVoid: true, fragments })];
}

function writeList(writer: DocumentWriter, list: Element, marks: readonly MarkType[]): BlockNode[] {
  let isTasks = false;
  const items = list.children.flatMap((child): BlockNode[] => {
    if (child.type !== 'element' || child.tagName !== 'li')
      return itemsOf(writer, 'list-item', writer.blocks([child], marks));
    const box = checkboxIn(child);
    if (box !== null) isTasks = true;
    const data = box === null ? {} : { checked: box.properties['checked'] === true };
    return writer.inside(child, () => [
      writer.block('list-item', writer.blocks(child.children, marks), data, { id: child.properties['id'] }),
    ]);
  });
  const { start } = list.properties;
  const type = isTasks ? 'list-tasks' : list.tagName === 'ol' ? 'list-ordered' : 'list-unordered';
  const hasStart = type === 'list-ordered' && start !== undefined && start !== null;
  return [writer.block(type, items, hasStart ? { start: Number(start) } : {})];
}

function checkboxIn(item: Element): Element | null {
  const first = item.children.find(isElement);
  const box = first?.tagName === 'p' ? first.children.find(isElement) : first;
  return box?.tagName === 'input' ? box : null;
}

function writeCode(writer: DocumentWriter, pre: Element, title?: string): BlockNode {
  const code = pre.children.find(isElement);
  const language = code === undefined ? undefined : codeLanguageOf(code);
  const marked = code === undefined ? undefined : writer.markedLines.get(code);
  const lines = textOf(pre).replace(/\n$/, '').split('\n');
  const nodes = lines.map((text, at) =>
    writer.block(
      'code-line',
      [writer.text([{ object: 'leaf', text, marks: [] }])],
      marked?.has(at + 1) === true ? { highlighted: true } : {},
    ),
  );
  const data = {
    ...(language === undefined ? {} : { syntax: language }),
    ...(title === undefined || title === '' ? {} : { title }),
  };
  return writer.block('code', nodes, data);
}

/** The title belongs to the first code block of the figure. */
function writeTitledCode(writer: DocumentWriter, figure: Element, marks: readonly MarkType[]): BlockNode[] {
  const caption = figure.children.find((child) => isElement(child) && child.tagName === 'figcaption');
  const codes = figure.children.filter((child) => child !== caption);
  const at = codes.findIndex((child) => isElement(child) && child.tagName === 'pre');
  const pre = codes[at];
  if (caption === undefined || pre === undefined || !isElement(pre))
    return writer.blocks(figure.children, marks);
  return [
    ...writer.blocks(codes.slice(0, at), marks),
    writeCode(writer, pre, textOf(caption).trim()),
    ...writer.blocks(codes.slice(at + 1), marks),
  ];
}

function writeHint(writer: DocumentWriter, element: Element, marks: readonly MarkType[]): BlockNode[] {
  const classes = (element.properties['className'] as readonly unknown[]).map(String);
  const name = classes
    .map((className) => /^(?:hint|alert)-(.+)$/.exec(className)?.[1])
    .find((suffix) => suffix !== undefined);
  const style = hasClass(element, 'hint') ? (name ?? 'info') : toneOf(name ?? 'note');
  const { title, rest } = splitTitle(
    element,
    (child) => hasClass(child, 'hint-title') || hasClass(child, 'alert-title'),
  );
  return [writer.block('hint', writer.blocks(rest, marks), { style, ...titleData(title) })];
}

function writeTab(writer: DocumentWriter, element: Element, marks: readonly MarkType[]): BlockNode[] {
  const { title, rest } = splitTitle(element, ({ tagName }) => tagName === 'summary');
  const id = title?.properties['id'];
  return [writer.block('tabs-item', writer.blocks(rest, marks), titleData(title), { id })];
}

function writeExpandable(writer: DocumentWriter, element: Element, marks: readonly MarkType[]): BlockNode[] {
  const { title, rest } = splitTitle(element, ({ tagName }) => tagName === 'summary');
  const head = writer.block('paragraph', title === null ? [] : writer.inlines(title.children, marks));
  const body = writer.blocks(rest, marks);
  const fragments = [
    writer.fragment('expandable-title', 'expandable-title', [head]),
    writer.fragment(
      'expandable-body',
      'expandable-body',
      body.length > 0 ? body : [writer.block('paragraph', [])],
    ),
  ];
  const id = title?.properties['id'] ?? element.properties['id'];
  return [writer.block('expandable', [], {}, { id, isVoid: true, fragments })];
}

/** Returns the first child that is a title, and all other children. */
function splitTitle(
  element: Element,
  isTitle: (child: Element) => boolean,
): { readonly title: Element | null; readonly rest: readonly ElementContent[] } {
  const title =
    element.children.find((child): child is Element => isElement(child) && isTitle(child)) ?? null;
  return {
    title,
    rest: title === null ? element.children : element.children.filter((child) => child !== title),
  };
}

/** A title is plain text. */
function titleData(title: Element | null): NodeData {
  const words = title === null ? '' : textOf(title).trim();
  return words === '' ? {} : { title: words };
}

function firstAddress(element: Element): string | null {
  const stack: RootContent[] = element.children.toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type !== 'element') continue;
    const { href } = node.properties;
    if (node.tagName === 'a' && typeof href === 'string') return href;
    stack.push(...node.children.toReversed());
  }
  return null;
}
