import type { Element, ElementContent, Nodes, Parents, Root, RootContent } from 'hast';

declare module 'hast' {
  /** Only the renderer sets it, so what an author writes cannot have any. It outlives the sanitising. */
  interface ElementData {
    /** Whether its content is not the author's. */
    isGenerated?: boolean;
    /** The blocks of the page's nodes that the element shows, where it is wanted that they are known. */
    blocks?: readonly ShownBlock[];
    /** JSON of what the script of a page needs to know of an operation. */
    call?: string;
  }
}

/** A block among the nodes of a page. */
export interface ShownBlock {
  /** The key of its node. */
  readonly key: string;
  readonly type: string;
}

export function element(
  tagName: string,
  children: ElementContent[],
  properties: Element['properties'] = {},
): Element {
  return { type: 'element', tagName, properties, children };
}

export function isElement(node: RootContent): node is Element {
  return node.type === 'element';
}

export function hasClass({ properties: { className } }: Element, name: string): boolean {
  return Array.isArray(className) && className.includes(name);
}

/** Returns the language of a `code` element, from its class `language-…`; undefined for none. */
export function codeLanguageOf({ properties: { className } }: Element): string | undefined {
  const name = Array.isArray(className)
    ? className.find((candidate) => String(candidate).startsWith('language-'))
    : undefined;
  return name === undefined ? undefined : String(name).slice('language-'.length);
}

/** Visits every element of a tree with its parent, in document order. A visitor may change the element and its children. */
export function walkElements(root: Root, visit: (element: Element, parent: Parents) => void): void {
  const stack: { readonly node: Nodes; readonly parent: Parents }[] = [];
  const push = (parent: Parents) => {
    for (const node of parent.children.toReversed()) stack.push({ node: node as Nodes, parent });
  };
  push(root);
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (next.node.type !== 'element') continue;
    visit(next.node, next.parent);
    push(next.node);
  }
}

/** Returns the text of an element and of everything in it. */
export function textOf(element: Nodes): string {
  let text = '';
  const stack: Nodes[] = [element];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.type === 'text') text += node.value;
    else if ('children' in node) stack.push(...(node.children.toReversed() as Nodes[]));
  }
  return text;
}
