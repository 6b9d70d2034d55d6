import type { Document } from '../../contract/index.ts';

type Node = Pick<Document['nodes'][number], 'object' | 'nodes' | 'leaves'>;

/** What a document that people wrote to programs says, as plain text. `afterBlock` stands after the text of each block in it. */
export function textOfDocument(nodes: readonly Node[], afterBlock = ''): string {
  const textOf = ({ object, nodes: inner = [], leaves = [] }: Node): string => {
    const own = leaves.map(({ text }) => text).join('');
    return `${own}${inner.map(textOf).join('')}${object === 'block' ? afterBlock : ''}`;
  };
  return nodes.map(textOf).join('\n');
}
