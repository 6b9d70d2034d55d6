import type { Element, ElementContent, RootContent } from 'hast';
import { toneOf } from '../blocks/hint-styles.ts';
import { textOf } from '../walk-elements.ts';
import type { BlockNode, BlockType, MarkType, NodeData } from './document-nodes.ts';
import type { BlockKind, DocumentWriter } from './document-writer.ts';
import { formulaOf, hasClass, isBlock } from './element-kinds.ts';
import { writeTable } from './write-table.ts';

/** Which block an element is; the first that fits. */
export const BLOCKS: readonly BlockKind[] = [
  {
    fits: (element) => hasClass(element, 'math'),
    write: (writer, element) => {
      const formula = formulaOf(textOf(element));
      return [writer.block('math', writer.inlines(element.children), { formula })];
    },
  },
  { fits: named('p', 'summary', 'figcaption'), write: words('paragraph') },
  {
    fits: ({ tagName }) => /^h[1-6]$/.test(tagName),
    write: (writer, element, marks) => {
      const type = `heading-${element.tagName[1]}` as BlockType;
      return [
        writer.block(type, writer.inlines(element.children, marks), {}, { id: element.properties['id'] }),
      ];
    },
  },
  {
    fits: (element) => hasClass(element, 'stepper'),
    write: holder('stepper', (child) => child.tagName === 'li', 'stepper-step'),
  },
  { fits: named('ul', 'ol'), write: writeList },
  { fits: named('pre'), write: (writer, element) => [writeCode(writer, element)] },
  {
    fits: (element) => element.tagName === 'figure' && hasClass(element, 'code'),
    write: writeTitledCode,
  },
  { fits: named('hr'), write: (writer) => [writer.block('divider', [], {}, { isVoid: true })] },
  { fits: named('table'), write: writeTable },
  { fits: (element) => hasClass(element, 'hint') || hasClass(element, 'alert'), write: writeHint },
  { fits: named('blockquote'), write: content('blockquote') },
  { fits: (element) => hasClass(element, 'tabs'), write: content('tabs') },
  { fits: (element) => hasClass(element, 'tab'), write: writeTab },
  { fits: named('details'), write: writeExpandable },
  { fits: (element) => hasClass(element, 'columns'), write: content('columns') },
  { fits: (element) => hasClass(element, 'column'), write: content('column') },
  { fits: (element) => hasClass(element, 'cards'), write: content('cards') },
  { fits: (element) => hasClass(element, 'card'), write: content('card') },
  { fits: (element) => hasClass(element, 'content-ref'), write: leading('content-ref') },
  { fits: (element) => hasClass(element, 'include'), write: leading('reusable-content') },
  { fits: (element) => hasClass(element, 'embed'), write: leading('embed') },
  { fits: (element) => hasClass(element, 'file'), write: leading('file') },
  { fits: (element) => hasClass(element, 'openapi'), write: content('openapi') },
  { fits: (element) => hasClass(element, 'updates'), write: content('updates') },
  { fits: (element) => hasClass(element, 'update'), write: writeUpdate },
  { fits: named('figure'), write: content('figure') },
  { fits: named('dl'), write: content('definition-list') },
  {
    fits: named('dt'),
    write: (writer, element, marks) => [
      writer.block(
        'definition-term',
        writer.inlines(element.children, marks),
        {},
        { id: element.properties['id'] },
      ),
    ],
  },
  { fits: named('dd'), write: content('definition-details') },
  { fits: (element) => hasClass(element, 'footnotes'), write: content('footnotes') },
];

function named(...names: readonly string[]): BlockKind['fits'] {
  return ({ tagName }) => names.includes(tagName);
}

function words(type: BlockType): BlockKind['write'] {
  return (writer, element, marks) => {
    // A paragraph of HTML may hold blocks, in spite of the standard.
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

function holder(type: BlockType, fits: (child: Element) => boolean, item: BlockType): BlockKind['write'] {
  return (writer, element, marks) => {
    const nodes = element.children.flatMap((child) =>
      child.type === 'element' && fits(child)
        ? [writer.block(item, writer.blocks(child.children, marks), {}, { id: child.properties['id'] })]
        : writer.blocks([child], marks),
    );
    return [writer.block(type, nodes)];
  };
}

/** A block whose link says what it shows; the link's words stay, because readers see them. */
function leading(type: BlockType): BlockKind['write'] {
  return (writer, element, marks) => {
    const href = firstAddress(element);
    const data: NodeData = href === null ? {} : { ref: writer.refer(href) };
    return [writer.block(type, writer.blocks(element.children, marks), data)];
  };
}

function writeList(writer: DocumentWriter, list: Element, marks: readonly MarkType[]): BlockNode[] {
  let isTasks = false;
  const items = list.children.flatMap((child): BlockNode[] => {
    if (child.type !== 'element' || child.tagName !== 'li') return writer.blocks([child], marks);
    const box = checkboxIn(child);
    if (box !== null) isTasks = true;
    const data = box === null ? {} : { checked: box.properties['checked'] === true };
    return [
      writer.block('list-item', writer.blocks(child.children, marks), data, { id: child.properties['id'] }),
    ];
  });
  const { start } = list.properties;
  const type = isTasks ? 'list-tasks' : list.tagName === 'ol' ? 'list-ordered' : 'list-unordered';
  return [writer.block(type, items, start === undefined || start === null ? {} : { start: Number(start) })];
}

function checkboxIn(item: Element): Element | null {
  const first = item.children.find(isElement);
  const box = first?.tagName === 'p' ? first.children.find(isElement) : first;
  return box?.tagName === 'input' ? box : null;
}

function writeCode(writer: DocumentWriter, pre: Element, title?: string): BlockNode {
  const code = pre.children.find(isElement);
  const { className } = code?.properties ?? {};
  const language = Array.isArray(className)
    ? className.map(String).find((one) => one.startsWith('language-'))
    : undefined;
  const lines = textOf(pre).replace(/\n$/, '').split('\n');
  const nodes = lines.map((text) =>
    writer.block('code-line', [writer.text([{ object: 'leaf', text, marks: [] }])]),
  );
  const data = {
    ...(language === undefined ? {} : { syntax: language.slice('language-'.length) }),
    ...(title === undefined || title === '' ? {} : { title }),
  };
  return writer.block('code', nodes, data);
}

/** The title is that of the first code; another one keeps none. */
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
  const said = classes.map((one) => /^(?:hint|alert)-(.+)$/.exec(one)?.[1]).find((one) => one !== undefined);
  const style = hasClass(element, 'hint') ? (said ?? 'info') : toneOf(said ?? 'note');
  const { title, rest } = takeTitle(
    element,
    (one) => hasClass(one, 'hint-title') || hasClass(one, 'alert-title'),
  );
  return [writer.block('hint', writer.blocks(rest, marks), { style, ...titleData(title) })];
}

function writeTab(writer: DocumentWriter, element: Element, marks: readonly MarkType[]): BlockNode[] {
  const { title, rest } = takeTitle(element, (one) => one.tagName === 'summary');
  const id = title?.properties['id'];
  return [writer.block('tabs-item', writer.blocks(rest, marks), titleData(title), { id })];
}

function writeExpandable(writer: DocumentWriter, element: Element, marks: readonly MarkType[]): BlockNode[] {
  const { title, rest } = takeTitle(element, (one) => one.tagName === 'summary');
  const head = title === null ? [] : writer.blocks([{ ...title, tagName: 'p' }], marks);
  const fragments = [
    writer.fragment('expandable-title', 'title', head),
    writer.fragment('expandable-body', 'body', writer.blocks(rest, marks)),
  ];
  const isOpen = element.properties['open'] === true || element.properties['open'] === '';
  const id = title?.properties['id'] ?? element.properties['id'];
  return [writer.block('expandable', [], isOpen ? { open: true } : {}, { id, fragments })];
}

function writeUpdate(writer: DocumentWriter, element: Element, marks: readonly MarkType[]): BlockNode[] {
  const { title, rest } = takeTitle(element, (one) => hasClass(one, 'update-date'));
  const date = title === null ? {} : { title: textOf(title).trim() };
  return [writer.block('update', writer.blocks(rest, marks), date)];
}

/** The first element with words, when it is the title, and all else. */
function takeTitle(
  element: Element,
  isTitle: (one: Element) => boolean,
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

function isElement(node: RootContent): node is Element {
  return node.type === 'element';
}
