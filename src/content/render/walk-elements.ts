import type { Element, Nodes, Parents, Root } from 'hast';

/** Every element of a tree with its parent, in document order. A visitor may change the element and its children. */
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

/** The text of an element and of all below it. */
export function textOf(element: Nodes): string {
  let text = '';
  const stack: Nodes[] = [element];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.type === 'text') text += node.value;
    else if ('children' in node) stack.push(...(node.children.toReversed() as Nodes[]));
  }
  return text;
}
