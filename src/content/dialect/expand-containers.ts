import { LineFence, skipFrontMatter } from '../text/index.ts';
import type { BlockList } from './block-list.ts';

const LINE = /^([ \t>]*(?:(?:[*+-]|\d{1,9}[.)])[ \t]+)?)(:{3,})[ \t]*([A-Za-z][\w-]*)?(.*)$/;

interface Open {
  readonly colons: number;
  readonly depth: number;
}

/**
 * Writes containers (`:::tip Title` … `:::`) as markers: those of VitePress
 * (https://vitepress.dev/guide/markdown#custom-containers), Docusaurus (https://docusaurus.io/docs/markdown-features/admonitions)
 * and Starlight (`:::tip[Title]{icon="x"}`). More colons around fewer nest.
 */
export function expandContainers(source: string, blocks: BlockList): string {
  if (!source.includes(':::')) return source;
  const fence = new LineFence();
  const open: Open[] = [];
  const lines = source.split('\n');
  const start = skipFrontMatter(lines);
  const written = lines.map((line, at) => {
    if (at < start || fence.isInFence(line)) return line;
    const match = line.includes(':::') ? LINE.exec(line.trimEnd()) : null;
    if (match === null) return line;
    const [, prefix = '', colons = '', name, rest = ''] = match;
    const next = prefix.replace(/[^\s>]/g, ' ');
    if (name === undefined) {
      if (rest.trim() !== '' || open.length === 0) return line;
      return [next.trimEnd(), ...closing(open, colons.length, next, blocks), next.trimEnd()].join('\n');
    }
    open.push({ colons: colons.length, depth: next.length });
    const empty = next.trimEnd();
    const title = titleOf(rest);
    const head = [prefix + blocks.open(name.toLowerCase(), new Map([['', name]])), empty];
    if (title !== '')
      head.push(next + blocks.open('title'), empty, next + title, empty, next + blocks.close(), empty);
    return [...(prefix === next ? [empty] : []), ...head].join('\n');
  });
  return written.join('\n');
}

/** Closes the innermost container with at most as many colons, and the containers that are still open inside it. */
function closing(open: Open[], colons: number, indent: string, blocks: BlockList): string[] {
  const at = open.findLastIndex((container) => container.colons <= colons);
  // More colons were opened than are closed here: the innermost is meant.
  const closed = open.splice(at === -1 ? open.length - 1 : at);
  return closed.map(() => indent + blocks.close());
}

/** `Title` or `[Title]`, optionally followed by `{attributes}`. */
function titleOf(rest: string): string {
  const text = rest
    .trim()
    .replace(/\{[^{}]*\}$/, '')
    .trim();
  return text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1).trim() : text;
}
