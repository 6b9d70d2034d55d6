import type { Nodes, Root } from 'mdast';
import type { BlockList, Dialect } from '../dialect/index.ts';
import { guardSource, type ParseOptions, parseMarkdown } from '../parse/index.ts';
import { VOID } from './render-limits.ts';

export interface ParsedPage {
  readonly root: Root;
  /** The text to which the positions of the tree's nodes refer. */
  readonly source: string;
}

/** Parses a page in its dialect, with the builder's blocks as markers. */
export function parsePageInDialect(markdown: string, dialect: Dialect, blocks: BlockList): ParsedPage {
  const { syntax, prepare } = dialect.reading.options ?? {};
  const expanded = dialect.expand?.(markdown, blocks) ?? markdown;
  const prepared = (dialect.isPrepared === true ? prepare?.(expanded).source : undefined) ?? expanded;
  const { source } = guardSource(prepared);
  const options: ParseOptions = {
    math: { singleDollarTextMath: dialect.math === 'strict' },
    definitionList: dialect.hasDefinitionLists === true,
  };
  const root = parseMarkdown(source, syntax, options);
  const prices = dialect.math === 'strict' ? dollarsOfPrices(root, source) : [];
  if (prices.length === 0) return closeSelfClosed({ root, source });
  if (prices.length > MAX_PRICES) {
    const withoutSingle = { ...options, math: { singleDollarTextMath: false } };
    return closeSelfClosed({ root: parseMarkdown(source, syntax, withoutSingle), source });
  }
  const escaped = replaceAt(source, prices, '\\$');
  return closeSelfClosed({ root: parseMarkdown(escaped, syntax, options), source: escaped });
}

/** A page with more prices is about money, and has no mathematics between single dollars. */
const MAX_PRICES = 1_000;

/**
 * Adds end tags to self-closing HTML elements (`<Badge />`). For an HTML parser they would stay open and contain
 * everything after them.
 */
function closeSelfClosed(page: ParsedPage): ParsedPage {
  const stack: Nodes[] = [page.root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === 'html' && node.value.includes('/>')) {
      node.value = node.value.replace(SELF_CLOSED, (all, name: string, rest: string) =>
        VOID.has(name.toLowerCase()) ? all : `<${name}${rest}></${name}>`,
      );
    }
    if ('children' in node) for (const child of node.children) stack.push(child as Nodes);
  }
  return page;
}

const SELF_CLOSED = /<([A-Za-z][\w.-]*)([^<>]*)\/>/g;

/**
 * The offsets of dollars that do not delimit mathematics: on GitHub there are no spaces inside the delimiters and no
 * letter or digit after the last one, so that `$5 and $6` are prices.
 */
function dollarsOfPrices(root: Root, source: string): number[] {
  const found: number[] = [];
  const stack: Nodes[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if ('children' in node) for (const child of node.children.toReversed()) stack.push(child as Nodes);
    if ((node.type as string) !== 'inlineMath') continue;
    const start = node.position?.start.offset ?? 0;
    const end = node.position?.end.offset ?? 0;
    const written = source.slice(start, end);
    if (written.startsWith('$$') || written.length < 3) continue;
    if (/^\$\s|\s\$$/.test(written) || /[\p{L}\p{N}]/u.test(source.charAt(end))) found.push(start, end - 1);
  }
  return found;
}

function replaceAt(source: string, offsets: readonly number[], text: string): string {
  const parts: string[] = [];
  let end = 0;
  for (const at of offsets) {
    if (at < end) continue;
    parts.push(source.slice(end, at), text);
    end = at + 1;
  }
  return parts.join('') + source.slice(end);
}
