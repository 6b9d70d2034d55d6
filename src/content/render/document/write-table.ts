import type { Element } from 'hast';
import { textOf } from '../hast-elements.ts';
import type { BlockNode, FragmentNode, MarkType } from './document-nodes.ts';
import type { DocumentWriter } from './document-writer.ts';

const ALIGNMENTS = ['left', 'center', 'right'] as const;

/**
 * Writes a table: columns with titles, records in their order, and a fragment for every cell. The cells of the head are
 * also fragments, because they may contain links and marks. Rows may be shorter or longer than the head.
 */
export function writeTableBlock(
  writer: DocumentWriter,
  table: Element,
  marks: readonly MarkType[],
): BlockNode[] {
  const fragments: FragmentNode[] = [];
  const add = (type: string, name: string, element: Element): string => {
    fragments.push(writer.fragment(type, name, writer.blocks(element.children, marks)));
    return name;
  };
  const rows: Element[] = [];
  const loose: BlockNode[] = [];
  const stack = table.children.toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === 'element' && node.tagName === 'tr') rows.push(node);
    else if (node.type === 'element' && /^t(?:head|body|foot)$/.test(node.tagName))
      stack.push(...node.children.toReversed());
    else if (node.type === 'element' && node.tagName === 'caption') add('table-caption', 'caption', node);
    else loose.push(...writer.blocks([node], marks));
  }
  const isHead = (row: Element | undefined) =>
    row !== undefined && cellsOf(row).length > 0 && cellsOf(row).every((cell) => cell.tagName === 'th');
  const head = isHead(rows[0]) ? rows.shift() : undefined;
  const definition: Record<string, unknown> = {};
  (head === undefined ? [] : cellsOf(head)).forEach((cell, at) => {
    const { align } = cell.properties;
    definition[`c${at}`] = {
      id: `c${at}`,
      type: 'text',
      title: textOf(cell).trim(),
      fragment: add('table-head', `h${at}`, cell),
      textAlignment: ALIGNMENTS.find((alignment) => alignment === align) ?? 'left',
    };
  });
  const records: Record<string, unknown> = {};
  rows.forEach((row, at) => {
    const values: Record<string, string> = {};
    cellsOf(row).forEach((cell, column) => {
      definition[`c${column}`] ??= { id: `c${column}`, type: 'text', title: '', textAlignment: 'left' };
      values[`c${column}`] = add('table-cell', `r${at}c${column}`, cell);
    });
    records[`r${at}`] = { orderIndex: String(at), values };
  });
  const view = { type: 'grid', columns: Object.keys(definition), hideHeader: head === undefined };
  const { id } = table.properties;
  return [
    ...loose,
    writer.block('table', [], { view, definition, records }, { id, isVoid: true, fragments }),
  ];
}

function cellsOf(row: Element): Element[] {
  return row.children.filter(
    (child): child is Element => child.type === 'element' && /^t[dh]$/.test(child.tagName),
  );
}
