/** A component or element of MDX as the parser returns it. */
export interface JsxNode {
  readonly type: 'mdxJsxFlowElement' | 'mdxJsxTextElement';
  readonly name: string | null;
  readonly attributes: readonly JsxAttribute[];
}

interface JsxAttribute {
  readonly type: string;
  readonly name?: string;
  /** Null for an attribute without a value, an object for an expression. */
  readonly value?: string | null | { readonly value: string };
}

/** Returns the name and attributes of an MDX element; null for every other node, and for a fragment (`<>`). */
export function readJsxTag(node: {
  readonly type: string;
}): { readonly name: string; readonly attributes: ReadonlyMap<string, string> } | null {
  if (!isJsx(node.type)) return null;
  const { name, attributes } = node as unknown as JsxNode;
  if (name === null) return null;
  const values = new Map<string, string>();
  for (const attribute of attributes) {
    if (attribute.name === undefined) continue;
    values.set(attribute.name, textOfValue(attribute));
  }
  return { name, attributes: values };
}

export function isJsx(type: string): boolean {
  return type === 'mdxJsxFlowElement' || type === 'mdxJsxTextElement';
}

/** A literal in braces is its text; any other expression retains its braces, which distinguish it from text. */
function textOfValue({ value }: JsxAttribute): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  const literal = /^\s*(?:"([^"\\]*)"|'([^'\\]*)'|`([^`\\$]*)`)\s*$/.exec(value.value);
  return literal?.[1] ?? literal?.[2] ?? literal?.[3] ?? `{${value.value}}`;
}
