import { parseMarkdown } from '../parse/index.ts';
import type { Segment } from './segment.ts';

/** What is written in place of segments, by their number. Those that are absent stay as they are. */
export type Replacements = ReadonlyMap<number, string>;

/** A page with texts replaced; every other byte stays. `suffixes` are put behind headings, by the segment's number. */
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

/** A page that still reads oddly after so many texts were put back is left as it was. */
const MAX_TRIES = 60;

/**
 * The replacements under which a page is made of the same blocks, links, pictures and code as its source; the others
 * are left out, each as soon as the page shows that it changes more than its text.
 */
export function selectStructurePreserving(
  source: string,
  path: string,
  segments: readonly Segment[],
  {
    replacements,
    given = new Map(),
  }: {
    readonly replacements: Replacements;
    /** Those that may change what the page is made of. */
    readonly given?: Replacements;
  },
): Replacements {
  const syntax = path.endsWith('.mdx') ? 'mdx' : 'markdown';
  const parse = (some: Replacements) =>
    parseMarkdown(writePage(source, segments, some), syntax) as unknown as Node;
  const before = parse(given);
  const places = spansWith(segments, given);
  const kept = new Map(replacements);
  for (let tries = 0; tries < MAX_TRIES && kept.size > 0; tries += 1) {
    const after = parse(new Map([...kept, ...given]));
    const place = findDifference(before, after);
    if (place === null) return kept;
    const wrong = places.flatMap(({ start, end }, index) =>
      kept.has(index) && end > place.start && start < place.end ? [index] : [],
    );
    if (wrong.length === 0) return new Map();
    for (const index of wrong) kept.delete(index);
  }
  return new Map();
}

/** Where segments stand in a page with some of them replaced. */
function spansWith(segments: readonly Segment[], given: Replacements) {
  let shift = 0;
  return segments.map(({ start, end }, index) => {
    const from = start + shift;
    shift += (given.get(index)?.length ?? end - start) - (end - start);
    return { start: from, end: end + shift };
  });
}

const BLOCKS: ReadonlySet<string> = new Set(
  'root blockquote list listItem table tableRow footnoteDefinition mdxJsxFlowElement definitionList'.split(
    ' ',
  ),
);

/** The place in the source of the first block that reads differently; null where there is none. */
function findDifference(before: Node, after: Node): { readonly start: number; readonly end: number } | null {
  const whole = spanOf(before);
  if (before.type !== after.type) return whole;
  if (!BLOCKS.has(before.type)) return signatureOf(before) === signatureOf(after) ? null : whole;
  if (fieldsOf(before) !== fieldsOf(after)) return whole;
  const [mine, other] = [before.children ?? [], after.children ?? []];
  for (let at = 0; at < mine.length; at += 1) {
    const [one, two] = [mine[at] as Node, other[at]];
    const place = two === undefined ? spanOf(one) : findDifference(one, two);
    if (place !== null) return place;
  }
  const last = mine.at(-1);
  return mine.length === other.length ? null : last === undefined ? whole : spanOf(last);
}

function spanOf(node: Node) {
  return {
    start: node.position?.start.offset ?? 0,
    end: node.position?.end.offset ?? Number.MAX_SAFE_INTEGER,
  };
}

/** What a node is besides its text. The order of what stands in a line is the translator's. */
function signatureOf(node: Node): string {
  if (node.type === 'text') return '';
  if (node.type === 'yaml') return 'yaml';
  if (node.type === 'html') return JSON.stringify(String(node.value).match(/<[^>]*>/g) ?? []);
  const children = (node.children ?? []).map(signatureOf).filter((one) => one !== '');
  return `${fieldsOf(node)}(${children.toSorted().join(',')})`;
}

/** `alt` is text. */
const NO_FIELDS: ReadonlySet<string> = new Set(['type', 'position', 'children', 'alt', 'data']);

function fieldsOf(node: Node): string {
  const fields = Object.entries(node).filter(([name]) => !NO_FIELDS.has(name));
  return `${node.type}${JSON.stringify(fields)}`;
}
