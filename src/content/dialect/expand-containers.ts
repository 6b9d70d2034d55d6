import { LineFence, skipFrontMatter } from '../text/index.ts';
import type { BlockList } from './block-list.ts';

const LINE = /^([ \t>]*(?:(?:[*+-]|\d{1,9}[.)])[ \t]+)?)(:{3,})[ \t]*([A-Za-z][\w-]*)?(.*)$/;

interface Open {
  readonly colons: number;
  /** Spaces and marks of quotes in front of it. */
  readonly indent: string;
}

/** As many more spaces than the opening line has make a line code, so that it closes nothing. */
const CODE_INDENT = 4;

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
      const isCode = open.every(({ indent }) => next.length >= indent.length + CODE_INDENT);
      if (rest.trim() !== '' || isCode) return line;
      return closing(open, colons.length, next, blocks).join('\n');
    }
    open.push({ colons: colons.length, indent: next });
    const empty = next.trimEnd();
    const title = titleOf(rest);
    const head = [prefix + blocks.open(name.toLowerCase(), new Map([['', name]])), empty];
    if (title !== '')
      head.push(next + blocks.open('title'), empty, next + title, empty, next + blocks.close(), empty);
    return [...(prefix === next ? [empty] : []), ...head].join('\n');
  });
  return written.join('\n');
}

/**
 * Closes the innermost container with at most as many colons, and the containers that are still open inside it: each where
 * it was opened, also if the closing line is indented as the text of a list above it.
 */
function closing(open: Open[], colons: number, indent: string, blocks: BlockList): string[] {
  const at = open.findLastIndex((container) => container.colons <= colons);
  // More colons were opened than are closed here: the innermost is meant.
  const closed = open.splice(at === -1 ? open.length - 1 : at).toReversed();
  return closed.flatMap((container) => {
    const own = indent.length < container.indent.length ? indent : container.indent;
    return [own.trimEnd(), own + blocks.close(), own.trimEnd()];
  });
}

/** `Title` or `[Title]`, optionally followed by `{attributes}`. */
function titleOf(rest: string): string {
  const text = rest
    .trim()
    .replace(/\{[^{}]*\}$/, '')
    .trim();
  return text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1).trim() : text;
}
