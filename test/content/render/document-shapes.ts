import type { DocumentNode, FragmentNode } from '../../../src/content/render/index.ts';

type Described = Exclude<DocumentNode, { object: 'text' }>;
type IsValid = (value: unknown, data: Readonly<Record<string, unknown>>) => boolean;

interface Shape {
  readonly object: 'block' | 'inline';
  readonly isVoid: boolean;
  /** Fields that `data` must have. */
  readonly data?: Readonly<Record<string, IsValid>>;
  /** Whether `data` may have no other field. */
  readonly isClosed?: true;
  /** The types of what it contains, where only these may be there. */
  readonly nodes?: readonly string[];
  readonly fragments?: readonly string[];
}

const ESSENTIALS = [
  'paragraph',
  'heading-1',
  'heading-2',
  'heading-3',
  'list-ordered',
  'list-unordered',
  'list-tasks',
  'divider',
];
const IN_STEPS = [
  ...ESSENTIALS,
  'content-ref',
  'code',
  'embed',
  'file',
  'images',
  'hint',
  'blockquote',
  'math',
];

/** The blocks that a fragment may contain, where only these may be there. */
const FRAGMENTS: Readonly<Record<string, readonly string[]>> = {
  'expandable-title': ['paragraph'],
  caption: ['paragraph'],
  'expandable-body': [...ESSENTIALS, 'images', 'code', 'table', 'hint', 'blockquote', 'reusable-content'],
};

/** The blocks of a document. */
export const TOP_LEVEL = [...IN_STEPS, 'expandable', 'tabs', 'table', 'reusable-content', 'stepper'];

const isText: IsValid = (value) => typeof value === 'string';
const isReference: IsValid = (value) => typeof (value as { kind?: unknown } | undefined)?.kind === 'string';
const refersTo =
  (...kinds: readonly string[]): IsValid =>
  (value) =>
    kinds.includes(String((value as { kind?: unknown } | undefined)?.kind));
const oneOf =
  (...values: readonly string[]): IsValid =>
  (value) =>
    values.includes(String(value));

const words: Shape = { object: 'block', isVoid: false };
const picture = { ref: refersTo('file', 'url') };

/** What clients of the published description read in each type of node. */
const SHAPES: Readonly<Record<string, Shape>> = {
  paragraph: { ...words, isClosed: true },
  'heading-1': words,
  'heading-2': words,
  'heading-3': words,
  'list-ordered': { ...words, nodes: ['list-item'] },
  'list-unordered': { ...words, nodes: ['list-item'] },
  'list-tasks': { ...words, nodes: ['list-item'], isClosed: true },
  'list-item': { ...words, nodes: [...ESSENTIALS, 'code', 'hint', 'blockquote', 'math', 'table'] },
  blockquote: { ...words, isClosed: true, nodes: [...ESSENTIALS, 'blockquote'] },
  hint: { ...words, nodes: ESSENTIALS, data: { style: oneOf('info', 'warning', 'danger', 'success') } },
  code: { ...words, nodes: ['code-line'] },
  'code-line': words,
  divider: { object: 'block', isVoid: true, isClosed: true },
  expandable: {
    object: 'block',
    isVoid: true,
    isClosed: true,
    fragments: ['expandable-title', 'expandable-body'],
  },
  tabs: { ...words, nodes: ['tabs-item'] },
  'tabs-item': { ...words, nodes: IN_STEPS },
  stepper: { ...words, nodes: ['stepper-step'], isClosed: true },
  'stepper-step': { ...words, nodes: IN_STEPS },
  columns: { ...words, nodes: ['column'] },
  column: { ...words, isClosed: true, nodes: [...IN_STEPS, 'table'] },
  'content-ref': { object: 'block', isVoid: true, data: { ref: isReference } },
  'reusable-content': { object: 'block', isVoid: true, data: { ref: refersTo('reusable-content') } },
  embed: { object: 'block', isVoid: true, data: { url: isText } },
  file: { object: 'block', isVoid: true, data: { ref: refersTo('file') } },
  images: { ...words, nodes: ['image'] },
  image: { object: 'block', isVoid: true, data: picture },
  math: { object: 'block', isVoid: true, data: { formula: isText } },
  table: { object: 'block', isVoid: true, data: { view: isTable } },
  link: { object: 'inline', isVoid: false, data: { ref: isReference }, nodes: ['', 'inline-image'] },
  button: {
    object: 'inline',
    isVoid: true,
    data: { label: isText, kind: oneOf('primary', 'secondary'), ref: isReference },
  },
  'inline-image': { object: 'inline', isVoid: true, data: picture },
  'inline-math': { object: 'inline', isVoid: true, data: { formula: isText } },
};

const MARKS = ['bold', 'italic', 'strikethrough', 'code', 'keyboard', 'superscript', 'subscript', 'color'];

/** Says what of a node is not as the published description has it; `docs/api.md` lists the types. */
export function findMisshapen(node: DocumentNode): string[] {
  if (node.object === 'text') {
    const marks = node.leaves.flatMap((leaf) => leaf.marks.map(({ type }) => type));
    return marks.filter((type) => !MARKS.includes(type)).map((type) => `the mark ${type}`);
  }
  const shape = Object.hasOwn(SHAPES, node.type) ? SHAPES[node.type] : undefined;
  if (shape === undefined) return [`the type ${node.type}`];
  const found = Object.entries(shape.data ?? {})
    .filter(([name, isValid]) => !isValid(node.data[name], node.data))
    .map(([name]) => `data.${name}`);
  if (shape.object !== node.object) found.push('object');
  if (shape.isVoid !== node.isVoid) found.push('isVoid');
  if (shape.isClosed && Object.keys(node.data).length > 0) found.push('data');
  const names = fragmentsOf(node).map(({ fragment }) => fragment);
  if (shape.fragments && names.join() !== shape.fragments.join()) found.push('fragments');
  for (const inner of shape.nodes === undefined ? [] : node.nodes)
    if (!shape.nodes?.includes(inner.object === 'text' ? '' : inner.type)) found.push('nodes');
  for (const { type, nodes } of fragmentsOf(node))
    if (nodes.some((inner) => FRAGMENTS[type]?.includes(inner.type) === false))
      found.push(`fragment ${type}`);
  return found.map((what) => `${what} of ${node.type}`);
}

function fragmentsOf(node: Described): readonly FragmentNode[] {
  return node.object === 'block' ? (node.fragments ?? []) : [];
}

function isTable(view: unknown, { definition, records }: Readonly<Record<string, unknown>>): boolean {
  const { type, hideHeader, cardSize } = view as Record<string, unknown>;
  const columns = Object.values(definition as Record<string, { textAlignment?: unknown }>);
  const rows = Object.values(records as Record<string, { orderIndex?: unknown }>);
  return (
    (type === 'grid' ? typeof hideHeader === 'boolean' : type === 'cards' && cardSize === 'medium') &&
    columns.every(({ textAlignment }) => ['left', 'center', 'right'].includes(String(textAlignment))) &&
    rows.every(({ orderIndex }) => typeof orderIndex === 'string')
  );
}
