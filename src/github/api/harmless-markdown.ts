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
    const harmless = joinTexts(children.flatMap(makeHarmless)).map(inParagraph) as RootContent[];
    writeMarkdown(harmless); // what cannot be written, such as a list in thousands of others, fails here
    return harmless;
  } catch {
    return [{ type: 'code', value: markdown }];
  }
}

const WEB_ADDRESS = /^(?:https?:\/\/|mailto:)/i;

/** GitHub refers back from issues, pull requests, discussions and commits whose address a text has. */
const REFERRED =
  /^https?:\/\/(?:www\.)?github\.com(?=\/[^/?#]+\/[^/?#]+\/(?:issues|pull|discussions|commit)\/)/i;

function makeHarmless(node: Nodes): Nodes[] {
  switch (node.type) {
    case 'html':
      return /^\s*<!--[\s\S]*-->\s*$/.test(node.value) ? [] : [textOf(node.value)];
    case 'yaml':
      return [{ type: 'code', value: node.value }];
    case 'code':
      // GitHub would let people commit it.
      return [
        {
          type: 'code',
          lang: /^suggestion/i.test(node.lang ?? '') ? null : (node.lang ?? null),
          value: node.value,
        },
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
  const children = joinTexts((node.children as Nodes[]).flatMap(makeHarmless));
  // HTML between blocks becomes a text, which belongs into a paragraph.
  const holdsBlocks = node.type === 'blockquote' || node.type === 'listItem';
  return holdsBlocks ? children.map(inParagraph) : children;
}

function inParagraph(node: Nodes): Nodes {
  return node.type === 'text' ? { type: 'paragraph', children: [node] } : node;
}

/** What stood between two texts may be gone: together they must not be a mention either. */
function joinTexts(nodes: readonly Nodes[]): Nodes[] {
  const joined: Nodes[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    if (node.type !== 'text') joined.push(node);
    else if (last?.type === 'text') joined[joined.length - 1] = { ...last, value: last.value + node.value };
    else joined.push(node);
  }
  return joined.map((node) =>
    node.type === 'text' ? { ...node, value: withoutReferences(node.value) } : node,
  );
}

function textOf(value: string): Nodes {
  return { type: 'text', value };
}

function linkTo(url: string, children: Nodes[]): Nodes {
  if (!WEB_ADDRESS.test(url)) return textOf(children.map(plainValue).join(''));
  const address = url.replace(REFERRED, 'https://redirect.github.com');
  return { type: 'link', url: address, children: joinTexts(children) } as Nodes;
}

function plainValue(node: Nodes): string {
  return 'value' in node ? node.value : '';
}

/** Without positions and whatever else a parser adds. */
function plain<N extends Nodes>(node: N): N {
  const { position: _, data: __, ...rest } = node;
  return rest as unknown as N;
}
