import { Ajv } from 'ajv';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { expect } from 'vitest';
import type { DocumentNode, DocumentTree, FragmentNode } from '../../../src/content/render/index.ts';
import { Document } from '../../../src/contract/content/document.ts';
import { toWireSchema } from '../../../src/contract/wire-schema.ts';
import { findMisshapen, TOP_LEVEL } from './document-shapes.ts';

/** The words of a page as HTML, without spaces. */
export function textOfHtml(html: string): string {
  let text = '';
  const stack: DefaultTreeAdapterTypes.ChildNode[] = parseFragment(html).childNodes.toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if ('value' in node) text += node.value;
    else if ('childNodes' in node) stack.push(...node.childNodes.toReversed());
  }
  return text.replace(/\s+/g, '');
}

/** The words of a page as nodes, without spaces: those of texts, and titles. */
export function textOfDocument(document: DocumentTree): string {
  let text = '';
  const stack: (DocumentNode | FragmentNode)[] = document.nodes.toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.object === 'text') {
      for (const leaf of node.leaves) text += leaf.text;
      continue;
    }
    if (node.object === 'block' && typeof node.data['title'] === 'string') text += node.data['title'];
    stack.push(...node.nodes.toReversed());
    if (node.object === 'block') stack.push(...(node.fragments ?? []).toReversed());
  }
  return text.replace(/\s+/g, '');
}

const { schema, named } = toWireSchema(Document, (name) => `${name}#`);
const ajv = new Ajv({ strict: false });
for (const [$id, definition] of named) ajv.addSchema({ ...definition, $id });
const validate = ajv.compile(schema);

/** Proves that the nodes have the shape that the contract declares. */
export function expectValidDocument(document: DocumentTree): void {
  validate(document);
  expect(validate.errors ?? []).toEqual([]);
  expect(document.nodes.filter(({ type }) => !TOP_LEVEL.includes(type)).map(({ type }) => type)).toEqual([]);
  const keys = new Set<string>();
  const stack: (DocumentNode | FragmentNode)[] = [...document.nodes];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    expect(keys).not.toContain(node.key);
    keys.add(node.key);
    if (node.object !== 'fragment') expect(findMisshapen(node)).toEqual([]);
    if (node.object === 'text') continue;
    stack.push(...node.nodes);
    if (node.object === 'block') stack.push(...(node.fragments ?? []));
  }
}
