import { parseMarkdown } from '../parse/index.ts';
import type { Segment } from './segment.ts';

/** The texts to write in place of segments, by the segment's index. Other segments are not changed. */
export type Replacements = ReadonlyMap<number, string>;

/** Replaces texts of a page and changes nothing else. `suffixes` are added after headings, by the segment's index. */
export function writePage(
  source: string,
  segments: readonly Segment[],
  replacements: Replacements,
  suffixes: ReadonlyMap<number, string> = new Map(),
): string {
  let text = '';
  let at = 0;
  segments.forEach((segment, index) => {
    const replacement = replacements.get(index);
    if (replacement !== undefined) {
      text += source.slice(at, segment.start);
      text += segment.kind === 'value' ? JSON.stringify(replacement) : replacement;
      at = segment.end;
    }
    const suffix = suffixes.get(index);
    if (suffix !== undefined && segment.heading !== undefined) {
      text += source.slice(at, segment.heading.end).trimEnd() + suffix;
      at = segment.heading.end;
    }
  });
  return text + source.slice(at);
}

interface Node {
  readonly type: string;
  readonly children?: readonly Node[];
  readonly position?: {
    readonly start: { readonly offset?: number };
    readonly end: { readonly offset?: number };
  };
  readonly [field: string]: unknown;
}

/** A page whose structure still differs after this many attempts is not translated. */
const MAX_TRIES = 60;

/**
 * Returns the replacements with which a page has the same blocks, links, images and code as its source. Those that
 * change more than their text are left out.
 */
export function selectStructurePreserving(
  source: string,
  path: string,
  segments: readonly Segment[],
  {
    replacements,
    fixed = new Map(),
  }: {
    readonly replacements: Replacements;
    /** Replacements that are always made, even if they change the structure. */
    readonly fixed?: Replacements;
  },
): Replacements {
  const syntax = path.endsWith('.mdx') ? 'mdx' : 'markdown';
  const parse = (texts: Replacements) =>
    parseMarkdown(writePage(source, segments, texts), syntax) as unknown as Node;
  const before = parse(fixed);
  const spans = spansWith(segments, fixed);
  const selected = new Map(replacements);
  for (let tries = 0; tries < MAX_TRIES && selected.size > 0; tries += 1) {
    const after = parse(new Map([...selected, ...fixed]));
    const difference = findDifference(before, after);
    if (difference === null) return selected;
    const wrong = spans.flatMap(({ start, end }, index) =>
      selected.has(index) && end > difference.start && start < difference.end ? [index] : [],
    );
    if (wrong.length === 0) return new Map();
    for (const index of wrong) selected.delete(index);
  }
  return new Map();
}

/** The spans of segments in a page with some of them replaced. */
function spansWith(segments: readonly Segment[], replacements: Replacements) {
  let shift = 0;
  return segments.map(({ start, end }, index) => {
    const from = start + shift;
    shift += (replacements.get(index)?.length ?? end - start) - (end - start);
    return { start: from, end: end + shift };
  });
}

const BLOCKS: ReadonlySet<string> = new Set(
  'root blockquote list listItem table tableRow footnoteDefinition mdxJsxFlowElement definitionList'.split(
    ' ',
  ),
);

/** The span in the source of the first block that differs; null for none. */
function findDifference(before: Node, after: Node): { readonly start: number; readonly end: number } | null {
  const whole = spanOf(before);
  if (before.type !== after.type) return whole;
  if (!BLOCKS.has(before.type)) return signatureOf(before) === signatureOf(after) ? null : whole;
  if (fieldsOf(before) !== fieldsOf(after)) return whole;
  const [older, newer] = [before.children ?? [], after.children ?? []];
  for (const [at, child] of older.entries()) {
    const counterpart = newer[at];
    const difference = counterpart === undefined ? spanOf(child) : findDifference(child, counterpart);
    if (difference !== null) return difference;
  }
  const last = older.at(-1);
  return older.length === newer.length ? null : last === undefined ? whole : spanOf(last);
}

function spanOf(node: Node) {
  return {
    start: node.position?.start.offset ?? 0,
    end: node.position?.end.offset ?? Number.MAX_SAFE_INTEGER,
  };
}

/** Describes a node except for its text. The translator may change the order of inline nodes. */
function signatureOf(node: Node): string {
  if (node.type === 'text') return '';
  if (node.type === 'yaml') return 'yaml';
  if (node.type === 'html') return JSON.stringify(String(node.value).match(/<[^>]*>/g) ?? []);
  const children = (node.children ?? []).map(signatureOf).filter((signature) => signature !== '');
  return `${fieldsOf(node)}(${children.toSorted().join(',')})`;
}

/** Fields that do not describe the structure; `alt` is text. */
const NO_FIELDS: ReadonlySet<string> = new Set(['type', 'position', 'children', 'alt', 'data']);

function fieldsOf(node: Node): string {
  const fields = Object.entries(node).filter(([name]) => !NO_FIELDS.has(name));
  return `${node.type}${JSON.stringify(fields)}`;
}
