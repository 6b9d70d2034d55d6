import type { Nodes, Root } from 'mdast';
import { type MdastReader, materializeMdastTree } from 'satteri';

/** A node without its children. */
type Bare<Node> = Node extends Nodes ? Omit<Node, 'children'> : never;

/** The nodes that a reading of a page can see; the other types only contain them. MDX has more, with other names. */
export type PageNode = Bare<Extract<Nodes, { type: Exclude<keyof typeof FIELDS, `mdx${string}`> }>>;

/** The offset of a node's field in the parser's memory; a test compares all of them with the parser's own tree. */
const text = (offset: number) => ({ kind: 'text', offset }) as const;
const byte = (offset: number) => ({ kind: 'byte', offset }) as const;

type Field = ReturnType<typeof text> | ReturnType<typeof byte>;

const FIELDS = {
  text: { value: text(0) },
  inlineCode: { value: text(0) },
  html: { value: text(0) },
  yaml: { value: text(0) },
  break: {},
  heading: { depth: byte(0) },
  link: { url: text(0) },
  image: { url: text(0), alt: text(8) },
  definition: { url: text(0), identifier: text(16), label: text(24) },
  linkReference: { identifier: text(0), label: text(8) },
  imageReference: { identifier: text(0), label: text(8), alt: text(20) },
  footnoteDefinition: { identifier: text(0), label: text(8) },
  footnoteReference: { identifier: text(0), label: text(8) },
  mdxjsEsm: { value: text(0) },
  mdxJsxFlowElement: {},
  mdxJsxTextElement: {},
} as const satisfies Readonly<Record<string, Readonly<Record<string, Field>>>>;

type Fields = Readonly<Record<string, readonly (readonly [string, Field])[] | undefined>>;

const FIELD_LISTS: Fields = Object.fromEntries(
  Object.entries(FIELDS).map(([type, fields]) => [type, Object.entries(fields)]),
);

/** The parser stores parts of these as children, too, which are not nodes of the tree. */
const LEAVES: ReadonlySet<string> = new Set([
  ...['text', 'inlineCode', 'html', 'yaml', 'toml', 'break', 'image', 'imageReference', 'definition'],
  ...['footnoteReference', 'code', 'thematicBreak', 'math', 'inlineMath'],
  ...['mdxFlowExpression', 'mdxTextExpression', 'mdxjsEsm'],
]);

/** The parser's replacement of a space in the code of MDX. */
const PHANTOM_SPACE = '\uf002';

/** Names of the node types by the parser's numbers, filled on first use. */
const typeNames: string[] = [];

/**
 * A parsed page whose nodes are created on access, by their ids: most only contain others, and creating all of them costs
 * more than parsing.
 */
export class PageTree {
  readonly #reader: MdastReader;

  constructor(reader: MdastReader) {
    this.#reader = reader;
  }

  /** The id of the root. */
  readonly root = 0;

  typeOf(id: number): string {
    const type = this.#reader.getNodeType(id);
    const known = typeNames[type];
    if (known !== undefined) return known;
    const name = this.#reader.getNode(id).typeName;
    typeNames[type] = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
    return typeNames[type];
  }

  /** Pushes the ids of a node's children onto a stack, the first child last. */
  pushChildren(id: number, stack: number[]): void {
    if (!LEAVES.has(this.typeOf(id))) this.#reader.pushChildIds(id, stack);
  }

  firstChild(id: number): number | null {
    return this.#reader.getChildIds(id)[0] ?? null;
  }

  /** Null for a type that is not in `PageNode`, and for a node without a position in the source. */
  node(id: number): PageNode | null {
    const type = this.typeOf(id);
    const fields = FIELD_LISTS[type];
    const position = fields === undefined ? undefined : this.#reader.getPosition(id);
    if (fields === undefined || position === undefined) return null;
    const node: Record<string, unknown> = { type, position };
    for (const [name, { kind, offset }] of fields) {
      node[name] =
        kind === 'byte' ? this.#reader.fieldU8(id, offset, 1) : this.#reader.fieldString(id, offset);
    }
    if (type.startsWith('mdxJsx')) Object.assign(node, this.#reader.getMdxJsxElementData(id));
    else if (type === 'mdxjsEsm') node['value'] = String(node['value']).replaceAll(PHANTOM_SPACE, ' ');
    return node as unknown as PageNode;
  }

  /** The text of a node of text; null for others. */
  textOf(id: number): string | null {
    return this.typeOf(id) === 'text' ? this.#reader.getTextValue(id) : null;
  }

  /** The name of a component or element of MDX; null for a fragment. */
  nameOf(id: number): string | null {
    return this.#reader.getMdxJsxElementName(id);
  }

  /** Creates all nodes at once. */
  toMdast(): Root {
    return materializeMdastTree(this.#reader) as Root;
  }
}
