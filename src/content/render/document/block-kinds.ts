import type { Element, ElementContent, RootContent } from 'hast';
import { toneOf } from '../blocks/hint-styles.ts';
import { codeLanguageOf, hasClass, isElement, textOf } from '../hast-elements.ts';
import type { BlockNode, BlockType, MarkType, NodeData } from './document-nodes.ts';
import type { BlockKind, DocumentWriter } from './document-writer.ts';
import { formulaOf, isBlock } from './element-kinds.ts';
import { writeTableBlock } from './write-table.ts';

/** The kinds of blocks. Of several that match an element, the first is used. */
export const BLOCKS: readonly BlockKind[] = [
  {
    matches: (element) => hasClass(element, 'math'),
    write: (writer, element) => {
      const formula = formulaOf(textOf(element));
      return [writer.block('math', writer.inlines(element.children), { formula })];
    },
  },
  { matches: named('p', 'summary', 'figcaption'), write: words('paragraph') },
  {
    matches: ({ tagName }) => /^h[1-6]$/.test(tagName),
    write: (writer, element, marks) => {
      const type = `heading-${element.tagName[1]}` as BlockType;
      return [
        writer.block(type, writer.inlines(element.children, marks), {}, { id: element.properties['id'] }),
      ];
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
  { matches: (element) => hasClass(element, 'tabs'), write: content('tabs') },
  { matches: (element) => hasClass(element, 'tab'), write: writeTab },
  { matches: named('details'), write: writeExpandable },
  { matches: (element) => hasClass(element, 'columns'), write: content('columns') },
  { matches: (element) => hasClass(element, 'column'), write: content('column') },
  { matches: (element) => hasClass(element, 'cards'), write: content('cards') },
  { matches: (element) => hasClass(element, 'card'), write: content('card') },
  { matches: (element) => hasClass(element, 'content-ref'), write: withReference('content-ref') },
  { matches: (element) => hasClass(element, 'include'), write: withReference('reusable-content') },
  { matches: (element) => hasClass(element, 'embed'), write: withReference('embed') },
  { matches: (element) => hasClass(element, 'file'), write: withReference('file') },
  { matches: (element) => hasClass(element, 'openapi'), write: content('openapi') },
  { matches: (element) => hasClass(element, 'updates'), write: content('updates') },
  { matches: (element) => hasClass(element, 'update'), write: writeUpdate },
  { matches: named('figure'), write: content('figure') },
  { matches: named('dl'), write: content('definition-list') },
  {
    matches: named('dt'),
    write: (writer, element, marks) => [
      writer.block(
        'definition-term',
        writer.inlines(element.children, marks),
        {},
        { id: element.properties['id'] },
      ),
    ],
  },
  { matches: named('dd'), write: content('definition-details') },
  { matches: (element) => hasClass(element, 'footnotes'), write: content('footnotes') },
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

function container(
  type: BlockType,
  matches: (child: Element) => boolean,
  item: BlockType,
): BlockKind['write'] {
  return (writer, element, marks) => {
    const nodes = element.children.flatMap((child) =>
      child.type === 'element' && matches(child)
        ? [writer.block(item, writer.blocks(child.children, marks), {}, { id: child.properties['id'] })]
        : writer.blocks([child], marks),
    );
    return [writer.block(type, nodes)];
  };
}

/** A block that shows the target of its first link; the link stays in the content, because readers see it. */
function withReference(type: BlockType): BlockKind['write'] {
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
  const language = code === undefined ? undefined : codeLanguageOf(code);
  const lines = textOf(pre).replace(/\n$/, '').split('\n');
  const nodes = lines.map((text) =>
    writer.block('code-line', [writer.text([{ object: 'leaf', text, marks: [] }])]),
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
  const { title, rest } = splitTitle(element, (child) => hasClass(child, 'update-date'));
  const date = title === null ? {} : { title: textOf(title).trim() };
  return [writer.block('update', writer.blocks(rest, marks), date)];
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
