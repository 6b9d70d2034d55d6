import type { Nodes, RootContent } from 'mdast';
import { guardSource, parseMarkdown } from '../../content/parse/index.ts';
import { withoutReferences, writeMarkdown } from './markdown.ts';

/**
 * Markdown that somebody wrote elsewhere, for another place: it says the same there, but mentions nobody, refers to no
 * issue, contains no HTML, shows no picture from elsewhere, suggests no change, and leads only to whole addresses. Texts
 * that cannot be read as Markdown are a block of code.
 */
export function harmlessMarkdown(markdown: string): readonly RootContent[] {
  try {
    const { children } = parseMarkdown(guardSource(markdown).source);
    const harmless = children.flatMap(makeHarmless).map(inParagraph) as RootContent[];
    writeMarkdown(harmless); // what cannot be written, such as a list in thousands of others, fails here
    return harmless;
  } catch {
    return [{ type: 'code', value: markdown }];
  }
}

const WEB_ADDRESS = /^(?:https?:\/\/|mailto:)/i;

function makeHarmless(node: Nodes): Nodes[] {
  switch (node.type) {
    case 'text':
      return [{ ...plain(node), value: withoutReferences(node.value) }];
    case 'html':
      return /^\s*<!--[\s\S]*-->\s*$/.test(node.value) ? [] : [textOf(node.value)];
    case 'yaml':
      return [{ type: 'code', value: node.value }];
    case 'code':
      // GitHub would let people commit it.
      return [
        { type: 'code', lang: node.lang === 'suggestion' ? null : (node.lang ?? null), value: node.value },
      ];
    case 'image':
      return [linkTo(node.url, [textOf(node.alt || node.url)])];
    case 'imageReference':
    case 'footnoteReference':
      return [textOf('alt' in node && node.alt ? node.alt : (node.label ?? node.identifier))];
    case 'link':
      return WEB_ADDRESS.test(node.url) ? [linkTo(node.url, childrenOf(node))] : childrenOf(node);
    case 'linkReference':
      return childrenOf(node);
    case 'definition':
    case 'footnoteDefinition':
      return [];
    default:
      if (!('children' in node)) return [plain(node)];
      return [{ ...plain(node), children: childrenOf(node) } as Nodes];
  }
}

function childrenOf(node: Nodes): Nodes[] {
  if (!('children' in node)) return [];
  const children = (node.children as Nodes[]).flatMap(makeHarmless);
  // HTML between blocks becomes a text, which belongs into a paragraph.
  const holdsBlocks = node.type === 'blockquote' || node.type === 'listItem';
  return holdsBlocks ? children.map(inParagraph) : children;
}

function inParagraph(node: Nodes): Nodes {
  return node.type === 'text' ? { type: 'paragraph', children: [node] } : node;
}

function textOf(value: string): Nodes {
  return { type: 'text', value: withoutReferences(value) };
}

function linkTo(url: string, children: Nodes[]): Nodes {
  if (!WEB_ADDRESS.test(url)) return { type: 'text', value: children.map(plainValue).join('') };
  return { type: 'link', url, children } as Nodes;
}

function plainValue(node: Nodes): string {
  return 'value' in node ? node.value : '';
}

/** Without positions and whatever else a parser adds. */
function plain<N extends Nodes>(node: N): N {
  const { position: _, data: __, ...rest } = node;
  return rest as unknown as N;
}
