import type { Document, DocumentNodeResource } from '../../client/index.ts';

/** A document of paragraphs, which blank lines separate in the text. */
export function writePlainDocument(text: string): Document {
  const paragraphs = text
    .replace(/\r\n?/g, '\n')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '');
  return {
    object: 'document',
    data: { schemaVersion: 1 },
    nodes: paragraphs.map((paragraph, at) => ({
      object: 'block',
      type: 'paragraph',
      key: `paragraph-${at}`,
      nodes: [
        {
          object: 'text',
          key: `text-${at}`,
          leaves: [{ object: 'leaf', text: paragraph, marks: [] }],
        },
      ],
    })),
  };
}

/** The text of a document, its blocks separated by blank lines. */
export function readPlainDocument({ nodes }: Document): string {
  return nodes
    .flatMap(listBlocks)
    .filter((block) => block !== '')
    .join('\n\n');
}

/** The innermost blocks, each as its text. */
function listBlocks(node: DocumentNodeResource): readonly string[] {
  const inner = [...(node.nodes ?? []), ...(node.fragments ?? [])];
  const blocks = inner.filter(({ object }) => object === 'block' || object === 'fragment');
  return blocks.length > 0 ? inner.flatMap(listBlocks) : [textOf(node).trim()];
}

function textOf(node: DocumentNodeResource): string {
  return (node.leaves ?? []).map(({ text }) => text).join('') + (node.nodes ?? []).map(textOf).join('');
}
