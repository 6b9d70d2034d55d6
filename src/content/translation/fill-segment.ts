import { type Part, plainText, type Segment } from './segment.ts';

/** The text to write in place of a segment, or why the answer cannot be used. */
export type Filled = { readonly text: string } | { readonly refused: string };

type Answer =
  | { readonly text: string }
  | { readonly id: number; readonly isWrap: boolean; readonly inside: Answer[] };

const MARK = /<g id="(\d{1,6})">|<\/g>|<x id="(\d{1,6})"\s*(?:\/>|>\s*<\/x>)/g;

/** Characters that may mean something to a builder: an answer may not contain more of any of them than the text. */
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
 * Writes a translator's answer as the text of a segment. Every placeholder has to occur once, inside the same one as
 * before; tags stay in their order. Markdown syntax, line breaks and talk besides the translation are refused.
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
      if (open.length === 1) return 'the answer closes a placeholder that is not open';
      open.pop();
    } else {
      const inside: Answer[] = [];
      into.push({ id: Number(wrap ?? atom), isWrap: wrap !== undefined, inside });
      if (wrap !== undefined) open.push(inside);
    }
  }
  addText(open.at(-1) as Answer[], answer.slice(at));
  return open.length === 1 ? root : 'the answer leaves a placeholder open';
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
  const visit = (children: readonly Part[], parent: number) => {
    for (const part of children) {
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
  const visit = (children: readonly Answer[], parent: number): string | null => {
    for (const child of children) {
      if ('text' in child) continue;
      const { id, isWrap, inside } = child;
      const mark = marks.get(id);
      if (mark === undefined) return `the answer contains a placeholder ${id} that the text does not have`;
      if (seen.includes(id)) return `the answer contains placeholder ${id} twice`;
      if (mark.parent !== parent) return `the answer moves placeholder ${id} into or out of another`;
      if ((mark.part.type === 'wrap') !== isWrap) return `the answer changes the kind of placeholder ${id}`;
      seen.push(id);
      const inner = visit(inside, id);
      if (inner !== null) return inner;
      if (isWrap && inside.every((part) => 'text' in part && part.text.trim() === ''))
        return `the answer leaves placeholder ${id} empty`;
    }
    return null;
  };
  const problem = visit(answer, 0);
  if (problem !== null) return problem;
  if (seen.length < marks.size) {
    const lost = [...marks.keys()].find((id) => !seen.includes(id));
    return `the answer leaves out placeholder ${lost}`;
  }
  const tags = seen.filter((id) => isTag(marks.get(id)?.part));
  return tags.every((id, at) => at === 0 || id > (tags[at - 1] ?? 0))
    ? null
    : 'the answer changes the order of tags';
}

function isTag(part: Part | undefined): boolean {
  return part?.type === 'atom' && (part.raw.startsWith('<') || part.raw.includes('\n'));
}

/** What renderers make a link without any markup (https://github.github.com/gfm/#autolinks-extension-). */
const ADDRESS =
  /(?:[a-z][a-z\d+.-]{1,20}:\/\/|(?:mailto|xmpp):|www\.)[^\s<]+|[\p{L}\p{N}._+-]{1,64}@[\p{L}\p{N}_-]{1,63}(?:\.[\p{L}\p{N}_-]{1,63})+/giu;

/** The start of a heading, a list, a quote or a block of code. */
const BEGIN = /^(?:#{1,6}\s|[-+*]\s|>|\d{1,9}[.)]\s|`{3}|~{3}|:::|[-=_*]{3})/;

/** An answer that is longer than any language needs contains talk besides the translation. */
const [MAX_FACTOR, MAX_MORE] = [4, 80];

function compareTexts(answer: readonly Answer[], segment: Segment): string | null {
  const before = plainText(segment.parts);
  const after = textOf(answer);
  if (after.trim() === '') return 'the answer contains no text';
  if (after.length > before.length * MAX_FACTOR + MAX_MORE) return 'the answer is much longer than the text';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are searched for
  if (/[\u0000-\u001f\u007f\u2028\u2029]/.test(after)) return 'the answer contains control characters';
  if (BEGIN.test(after.trimStart()) && !BEGIN.test(before.trimStart()))
    return 'the answer begins like a heading, list, quote or other block';
  if (!addressesIn(after).isSubsetOf(addressesIn(before)))
    return 'the answer contains an address that the text does not have';
  for (const markup of segment.kind === 'value' ? (['{{', '{%'] as const) : MARKUP_CHARACTERS) {
    if (countOf(after, markup) > countOf(before, markup))
      return `the answer contains more ${markup} than the text`;
  }
  return null;
}

/** Without what follows an address in a sentence, and in lower case. */
function addressesIn(text: string): ReadonlySet<string> {
  const addresses = text.match(ADDRESS) ?? [];
  return new Set(addresses.map((address) => address.replace(/[^\p{L}\p{N}/]+$/u, '').toLowerCase()));
}

function textOf(answer: readonly Answer[]): string {
  return answer
    .map((child) => ('text' in child ? child.text : child.isWrap ? textOf(child.inside) : ' '))
    .join('');
}

function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
}

function render(answer: readonly Answer[], marks: ReadonlyMap<number, Mark>): string {
  return answer
    .map((child) => {
      if ('text' in child) return child.text;
      const part = marks.get(child.id)?.part;
      if (part?.type === 'wrap') return `${part.open}${render(child.inside, marks)}${part.close}`;
      return part?.raw ?? '';
    })
    .join('');
}
