import { type Part, plainText, type Segment } from './segment.ts';

/** What is written in place of a segment, or why the answer cannot be. */
export type Filled = { readonly text: string } | { readonly refused: string };

type Answer =
  | { readonly text: string }
  | { readonly id: number; readonly isWrap: boolean; readonly inside: Answer[] };

const MARK = /<g id="(\d{1,6})">|<\/g>|<x id="(\d{1,6})"\s*(?:\/>|>\s*<\/x>)/g;

/** Signs that may mean something to a builder: an answer may not hold more of one than the text did. */
const MARKUP_CHARACTERS = [
  '`',
  '*',
  '[',
  ']',
  '<',
  '>',
  '{',
  '}',
  '|',
  '\\',
  '$',
  '^',
  '~',
  '::',
  '==',
  '__',
] as const;

/**
 * Puts a translator's answer in place of a segment. Every mark has to be there once, inside the same one as before;
 * tags keep their order. Signs of Markdown, line ends and talk beside the translation are refused.
 */
export function fillSegment(segment: Segment, answer: string): Filled {
  const trimmed = answer.trim();
  if (trimmed === '') return { refused: 'the answer is empty' };
  if (/[\n\r]/.test(trimmed)) return { refused: 'the answer has more than one line' };
  if (trimmed === segment.text) return { text: '' };
  const read = readAnswer(trimmed);
  if (typeof read === 'string') return { refused: read };
  const marks = marksOf(segment.parts);
  const problem = compareMarks(read, marks) ?? compareTexts(read, segment);
  if (problem !== null) return { refused: problem };
  return { text: render(read, marks) };
}

function readAnswer(answer: string): Answer[] | string {
  const root: Answer[] = [];
  const open: Answer[][] = [root];
  let at = 0;
  for (const match of answer.matchAll(MARK)) {
    const into = open.at(-1) as Answer[];
    addText(into, answer.slice(at, match.index));
    at = match.index + match[0].length;
    const [whole, wrap, atom] = match;
    if (whole === '</g>') {
      if (open.length === 1) return 'a mark ends that did not begin';
      open.pop();
    } else {
      const inside: Answer[] = [];
      into.push({ id: Number(wrap ?? atom), isWrap: wrap !== undefined, inside });
      if (wrap !== undefined) open.push(inside);
    }
  }
  addText(open.at(-1) as Answer[], answer.slice(at));
  return open.length === 1 ? root : 'a mark does not end';
}

function addText(into: Answer[], escaped: string): void {
  if (escaped === '') return;
  const text = escaped
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll(/&(?:apos|#39|#x27);/gi, "'")
    .replaceAll('&amp;', '&');
  into.push({ text });
}

interface Mark {
  readonly part: Exclude<Part, { type: 'text' }>;
  readonly parent: number;
}

function marksOf(parts: readonly Part[]): ReadonlyMap<number, Mark> {
  const marks = new Map<number, Mark>();
  const visit = (some: readonly Part[], parent: number) => {
    for (const part of some) {
      if (part.type === 'text') continue;
      const id = marks.size + 1;
      marks.set(id, { part, parent });
      if (part.type === 'wrap') visit(part.parts, id);
    }
  };
  visit(parts, 0);
  return marks;
}

function compareMarks(answer: readonly Answer[], marks: ReadonlyMap<number, Mark>): string | null {
  const seen: number[] = [];
  const visit = (some: readonly Answer[], parent: number): string | null => {
    for (const one of some) {
      if ('text' in one) continue;
      const mark = marks.get(one.id);
      if (mark === undefined) return `the answer holds a mark ${one.id} that the text has not`;
      if (seen.includes(one.id)) return `the answer holds the mark ${one.id} twice`;
      if (mark.parent !== parent) return `the answer moves the mark ${one.id} into or out of another one`;
      if ((mark.part.type === 'wrap') !== one.isWrap) return `the answer changes what the mark ${one.id} is`;
      seen.push(one.id);
      const inner = visit(one.inside, one.id);
      if (inner !== null) return inner;
      if (one.isWrap && one.inside.every((part) => 'text' in part && part.text.trim() === ''))
        return `the answer leaves the mark ${one.id} empty`;
    }
    return null;
  };
  const problem = visit(answer, 0);
  if (problem !== null) return problem;
  if (seen.length < marks.size) {
    const lost = [...marks.keys()].find((id) => !seen.includes(id));
    return `the answer leaves out the mark ${lost}`;
  }
  const tags = seen.filter((id) => isTag(marks.get(id)?.part));
  return tags.every((id, at) => at === 0 || id > (tags[at - 1] ?? 0))
    ? null
    : 'the answer changes the order of tags';
}

function isTag(part: Part | undefined): boolean {
  return part?.type === 'atom' && (part.raw.startsWith('<') || part.raw.includes('\n'));
}

/** What begins a heading, a list, a quote or a block of code. */
const BEGIN = /^(?:#{1,6}\s|[-+*]\s|>|\d{1,9}[.)]\s|`{3}|~{3}|:::|[-=_*]{3})/;

/** Talk beside a translation is longer than any language needs. */
const [MAX_FACTOR, MAX_MORE] = [4, 80];

function compareTexts(answer: readonly Answer[], segment: Segment): string | null {
  const before = plainText(segment.parts);
  const after = textOf(answer);
  if (after.trim() === '') return 'the answer holds no text';
  if (after.length > before.length * MAX_FACTOR + MAX_MORE) return 'the answer is far longer than the text';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (/[\u0000-\u001f\u007f\u2028\u2029]/.test(after)) return 'the answer holds control characters';
  if (BEGIN.test(after.trimStart()) && !BEGIN.test(before.trimStart()))
    return 'the answer begins as a block of its own does';
  for (const sign of segment.kind === 'value' ? (['{{', '{%'] as const) : MARKUP_CHARACTERS) {
    if (countOf(after, sign) > countOf(before, sign)) return `the answer holds more ${sign} than the text`;
  }
  return null;
}

function textOf(answer: readonly Answer[]): string {
  return answer.map((one) => ('text' in one ? one.text : one.isWrap ? textOf(one.inside) : ' ')).join('');
}

function countOf(text: string, sign: string): number {
  return text.split(sign).length - 1;
}

function render(answer: readonly Answer[], marks: ReadonlyMap<number, Mark>): string {
  return answer
    .map((one) => {
      if ('text' in one) return one.text;
      const part = marks.get(one.id)?.part;
      if (part?.type === 'wrap') return `${part.open}${render(one.inside, marks)}${part.close}`;
      return part?.raw ?? '';
    })
    .join('');
}
