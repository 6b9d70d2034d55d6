import { COSTLY_CODE, guardSource, isCostlyMdx, parseMarkdown, readFrontMatter } from '../parse/index.ts';
import { splitHtml } from './html-text.ts';
import { splitText } from './protected-text.ts';
import { countWords, encodeParts, type Part, plainText, type Segment } from './segment.ts';

interface Node {
  readonly type: string;
  readonly position?: {
    readonly start: { readonly line: number; readonly offset?: number };
    readonly end: { readonly offset?: number };
  };
  readonly children?: readonly Node[];
  readonly depth?: number;
  readonly value?: string;
  readonly alt?: string | null;
  readonly referenceType?: string;
}

/** Keys of front matter whose values readers see. */
const VALUES = /^(title|description|sidebar_label|tagline|summary)[ \t]*:/;

/** Elements whose text is not translated. */
const LITERAL = /^<(code|kbd|samp|var|pre|script|style|svg|math|textarea)\b(?![^>]*\/>)/i;

const WRAPS: ReadonlySet<string> = new Set([
  'emphasis',
  'strong',
  'delete',
  'link',
  'linkReference',
  'mdxJsxTextElement',
]);

/** Blocks that contain text and not other blocks. */
const TEXT_BLOCKS: ReadonlySet<string> = new Set(['paragraph', 'heading', 'tableCell']);

export interface SegmentsFound {
  readonly segments: readonly Segment[];
  /** Why there are none, in one sentence, where the page exceeds the limits of the parser; null elsewhere. */
  readonly problem: string | null;
}

/** Finds the texts of a page of Markdown or MDX, in their order; none in a page that exceeds the limits of the parser. */
export function findSegments(source: string, path: string): SegmentsFound {
  const { source: guarded, problems } = guardSource(source);
  const syntax = path.endsWith('.mdx') ? 'mdx' : 'markdown';
  const problem = problems[0]?.message ?? (syntax === 'mdx' && isCostlyMdx(guarded) ? COSTLY_CODE : null);
  if (problem !== null) return { segments: [], problem };
  const segments: Segment[] = [];
  const isContents = /(?:^|\/)SUMMARY\.md$/i.test(path);
  const visit = (node: Node): void => {
    // The title of a table of contents is not shown, and builders recognise it by its text.
    if (isContents && node.type === 'heading' && node.depth === 1) return;
    if (node.type === 'yaml') segments.push(...readValues(source, node));
    else if (node.type === 'html') {
      for (const parts of splitHtml(source, startOf(node), endOf(node))) add(segments, 'text', parts);
    } else if (TEXT_BLOCKS.has(node.type)) {
      const parts = partsOf(node.children ?? [], source);
      const heading = node.type === 'heading' ? headingOf(node) : undefined;
      for (const group of splitAtLines(parts)) {
        add(segments, heading === undefined ? 'text' : 'heading', group, heading);
      }
    } else for (const child of node.children ?? []) visit(child);
  };
  visit(parseMarkdown(guarded, syntax) as Node);
  return { segments: inOrder(segments), problem: null };
}

/** Leaves out segments that overlap the one before, as the parser's positions may. */
function inOrder(segments: readonly Segment[]): readonly Segment[] {
  let end = 0;
  return segments.filter((segment) => {
    if (segment.start < end) return false;
    end = segment.end;
    return true;
  });
}

function startOf(node: Node): number {
  return node.position?.start.offset ?? 0;
}

function endOf(node: Node): number {
  return node.position?.end.offset ?? 0;
}

function headingOf(node: Node): NonNullable<Segment['heading']> {
  const last = node.children?.at(-1);
  return {
    line: node.position?.start.line ?? 1,
    level: node.depth ?? 1,
    end: last === undefined ? endOf(node) : endOf(last),
  };
}

function partsOf(nodes: readonly Node[], source: string): Part[] {
  const parts: Part[] = [];
  const atom = (start: number, end: number) => {
    if (end > start) parts.push({ type: 'atom', start, end, raw: source.slice(start, end) });
  };
  const endTag = endTagsOf(nodes);
  let at: number | null = null;
  for (let index = 0; index < nodes.length; index += 1) {
    const node = nodes[index] as Node;
    const start = startOf(node);
    let end = endOf(node);
    if (at !== null && start < at) continue;
    if (at !== null) atom(at, start);
    const name = node.type === 'html' ? LITERAL.exec(node.value ?? '')?.[1]?.toLowerCase() : undefined;
    const close = name === undefined ? -1 : endTag(index, name);
    if (close > index) {
      end = endOf(nodes[close] as Node);
      atom(start, end);
      index = close;
    } else if (node.type === 'text') {
      for (const part of splitText(source.slice(start, end), start)) parts.push(part);
    } else {
      const wrap = wrapOf(node, source);
      if (wrap === null) atom(start, end);
      else parts.push(wrap);
    }
    at = end;
  }
  return parts;
}

/** Returns a function that finds the end tag of an element after one of the nodes; -1 for none. One pass over the nodes. */
function endTagsOf(nodes: readonly Node[]): (from: number, name: string) => number {
  const ends = new Map<string, number[]>();
  return (from, name) => {
    const known = ends.get(name) ?? endsOf(nodes, name);
    ends.set(name, known);
    // Callers only go forward.
    while (known.length > 0 && (known.at(-1) ?? 0) <= from) known.pop();
    return known.at(-1) ?? -1;
  };
}

/** The positions of the end tags of an element, the last first. */
function endsOf(nodes: readonly Node[], name: string): number[] {
  const isEnd = ({ type, value = '' }: Node) =>
    type === 'html' && value.toLowerCase().startsWith(`</${name}`);
  return nodes.flatMap((node, at) => (isEnd(node) ? [at] : [])).reverse();
}

function wrapOf(node: Node, source: string): Part | null {
  const [start, end] = [startOf(node), endOf(node)];
  if (node.type === 'image') return captionOf(node, source);
  const [first, last] = [node.children?.[0], node.children?.at(-1)];
  if (!WRAPS.has(node.type) || first === undefined || last === undefined) return null;
  // The text of a reference without a label is its label.
  if (node.type === 'linkReference' && node.referenceType !== 'full') return null;
  const open = source.slice(start, startOf(first));
  const close = source.slice(endOf(last), end);
  if (open === '' || close === '') return null;
  if (/\n/.test(open) || /\n/.test(close)) return null;
  const parts = partsOf(node.children ?? [], source);
  if (!/\p{L}/u.test(plainText(parts))) return null;
  return { type: 'wrap', start, end, open, close, parts };
}

/** The alternative text of an image, if it is written without escapes and markup. */
function captionOf(node: Node, source: string): Part | null {
  const [start, end] = [startOf(node), endOf(node)];
  const alt = node.alt ?? '';
  const raw = source.slice(start, end);
  if (!/\p{L}/u.test(alt) || /[[\]\\&\n<>{}`*_]/.test(alt) || !raw.startsWith(`![${alt}](`)) return null;
  const from = start + 2;
  const to = from + alt.length;
  const text: Part = { type: 'text', start: from, end: to, text: alt };
  return { type: 'wrap', start, end, open: '![', close: source.slice(to, end), parts: [text] };
}

/** Lines of builders' syntax in a paragraph are not moved, so each text between them is a separate segment. */
function splitAtLines(parts: readonly Part[]): Part[][] {
  const groups: Part[][] = [[]];
  for (const part of parts) {
    if (part.type === 'atom' && part.raw.includes('\n')) groups.push([]);
    else groups.at(-1)?.push(part);
  }
  return groups;
}

function add(
  segments: Segment[],
  kind: Segment['kind'],
  all: readonly Part[],
  heading?: Segment['heading'],
): void {
  let parts = trim(all);
  // Markup around the whole text needs no placeholder.
  for (let only = parts[0]; parts.length === 1 && only?.type === 'wrap'; only = parts[0]) {
    parts = trim(only.parts);
  }
  const [first, last] = [parts[0], parts.at(-1)];
  const plain = plainText(parts);
  if (first === undefined || last === undefined || !/\p{L}/u.test(plain)) return;
  segments.push({
    kind,
    start: first.start,
    end: last.end,
    parts,
    text: encodeParts(parts),
    words: countWords(plain),
    ...(heading === undefined ? {} : { heading }),
  });
}

/** Removes blank text and placeholders at both ends. */
function trim(all: readonly Part[]): Part[] {
  const isBlank = (part: Part) => part.type === 'atom' || (part.type === 'text' && part.text.trim() === '');
  const from = all.findIndex((part) => !isBlank(part));
  const to = all.findLastIndex((part) => !isBlank(part));
  const parts = from === -1 ? [] : all.slice(from, to + 1);
  const first = parts[0];
  if (first?.type === 'text') {
    const cut = first.text.length - first.text.trimStart().length;
    parts[0] = { ...first, start: first.start + cut, text: first.text.slice(cut) };
  }
  const last = parts.at(-1);
  if (last?.type === 'text') {
    const cut = last.text.length - last.text.trimEnd().length;
    parts[parts.length - 1] = { ...last, end: last.end - cut, text: last.text.trimEnd() };
  }
  return parts;
}

/** The values of front matter that readers see; the span of each begins after the colon and ends with its last line. */
function readValues(source: string, node: Node): Segment[] {
  const [from, to] = [startOf(node), endOf(node)];
  const raw = source.slice(from, to);
  const inner = raw.replace(/^---[^\n]*\n/, '').replace(/\n?---[ \t]*$/, '');
  const { values, problem } = readFrontMatter(inner, 1);
  if (problem !== null) return [];
  const found: Segment[] = [];
  let at = from;
  const lines = raw.split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const match = VALUES.exec(line);
    const value = match === null ? undefined : values[match[1] ?? ''];
    if (
      match !== null &&
      typeof value === 'string' &&
      /\p{L}/u.test(value) &&
      !/^[ \t]*[&*!]/.test(line.slice(match[0].length))
    ) {
      const spaces = /^[ \t]*/.exec(line.slice(match[0].length))?.[0].length ?? 0;
      const start = at + match[0].length + spaces;
      let end = at + line.trimEnd().length;
      let next = at + line.length + 1;
      while (index + 1 < lines.length && /^(?:[ \t]+\S|[ \t]*\r?$)/.test(lines[index + 1] ?? '')) {
        index += 1;
        const more = lines[index] ?? '';
        if (more.trim() !== '') end = next + more.trimEnd().length;
        next += more.length + 1;
      }
      const parts = splitText(value.trim(), 0);
      const text = encodeParts(parts);
      found.push({ kind: 'value', start, end, parts, text, words: countWords(plainText(parts)) });
      at = next;
    } else at += line.length + 1;
  }
  return found;
}
